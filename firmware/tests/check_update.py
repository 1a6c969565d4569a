"""A new image is taken only if the maker signed it for this board, and what does not come up goes back."""

import json
import sys

import boot
import images
import machine
from kit import Card, Chance, PowerCut, mounted, no_watchdog, raises
from rig import Clock, Rig, talk
from scanner import frame, store, update
from scanner.update import Updates

STEP = 90  # run.mjs sets 1 for `prove`
FILES = {"scanner/app.py": "NEW = 1\n" * 90, "scanner/frame.py": "", "boards/rp2040.py": "BOARD = {}\n"}
MAKER = bytes.fromhex(images.modulus)


def image(board="rp2040", files=None):
    return bytes.fromhex(images.image(board, "1.1.0", json.dumps(files or FILES)))


def begin(content, digest=None):
    digest = digest or bytes.fromhex(images.digest(content.hex()))
    return len(content).to_bytes(4, "big") + digest + b"1.1.0\0\0\0\0\0\0\0"


def receive(updates, content, digest=None):
    """The last answer when an image is sent as it should be."""
    answer = updates.begin(begin(content, digest))
    while answer[1] == update.RECEIVING and answer[0] < len(content):
        offset = answer[0]
        answer = updates.chunk(offset.to_bytes(4, "big") + content[offset : offset + 196])
    return updates.end() if answer[1] == update.RECEIVING else answer


def fresh(card=None, maker=MAKER):
    mounted(card or Card())
    return Updates(store.Files("/card", no_watchdog), "rp2040", maker)


def slot():
    return store.load(store.Files("/card", no_watchdog), "slot")


def test_an_image_that_the_maker_signed_is_unpacked_beside_the_running_one():
    content = image()
    card = Card({"/b/old.py": b"1", "/b": None, "/a/scanner/app.py": b"OLD"})
    updates = fresh(card)
    yield "answer", receive(updates, content), (len(content), update.WRITTEN, 0)
    unpacked = {name[3:]: bytes(card.files[name]).decode() for name in card.files if name[:3] == "/b/" and card.files[name] is not None}
    yield "files", unpacked, FILES
    yield "slot", slot(), {"run": "b", "back": "a", "tries": 3, "told": 0}
    yield "the running one", card.files["/a/scanner/app.py"], b"OLD"


def test_what_is_not_as_it_should_be_is_refused_and_nothing_is_touched():
    content = image()
    forged = bytearray(content)
    forged[-5] ^= 1
    forged = bytes(forged)
    damaged = bytearray(content)
    damaged[0] ^= 1
    wrong = {
        "forged with the right digest": (forged, None, MAKER, update.SIGNATURE),
        "damaged on the way": (forged, bytes.fromhex(images.digest(content.hex())), MAKER, update.DIGEST),
        "another form": (bytes(damaged), None, MAKER, update.SIGNATURE),
        "for another board": (image("esp32"), None, MAKER, update.BOARD),
        "of another maker": (content, None, MAKER[:-2] + b"\1\1", update.SIGNATURE),
        "no maker is known": (content, None, b"", update.SIGNATURE),
        "too short": (content[:300], None, MAKER, update.SIZE),
        "too large": (content + bytes(update.LARGEST), None, MAKER, update.SIZE),
    }
    for flaw in sorted(wrong):
        data, digest, maker, reason = wrong[flaw]
        yield flaw, [receive(fresh(maker=maker), data, digest)[1:], slot()], [(update.REFUSED, reason), {}]


def test_where_the_flash_has_no_room_for_it_the_room_that_there_was_is_left():
    content = image()
    old = {"/a": None, "/a/scanner": None, "/a/scanner/app.py": b"OLD"}
    card = Card(dict(old))
    receive(fresh(card), content)
    for room in range(1, card.used, STEP):
        small = Card(dict(old))
        small.room = room
        assert receive(fresh(small), content)[1:] == (update.REFUSED, update.STORAGE), room
        remaining = [name for name in small.files if name not in old and name[-4:] != ".new"]
        assert remaining == [], "%s at %d" % (remaining, room)


def test_on_trial_no_other_image_takes_the_place_of_the_way_back():
    content = image()
    card = Card({"/slot": b'{"run": "b", "back": "a", "tries": 2, "told": 0}', "/a/scanner/app.py": b"OLD"})
    files_before = dict(card.files)
    yield "refused", [receive(fresh(card), content)[1:], card.files], [(update.REFUSED, update.STORAGE), files_before]


def test_pieces_may_be_repeated_lost_and_come_in_another_order():
    content, updates = image(), fresh()
    assert updates.chunk(bytes(4) + b"x")[1:] == (update.REFUSED, update.NOTHING)
    assert updates.end()[1:] == (update.REFUSED, update.NOTHING)
    updates.begin(begin(content))
    first = bytes(4) + content[:196]
    assert updates.chunk(first) == updates.chunk(first) == (196, 0, 0)
    assert updates.chunk((900).to_bytes(4, "big") + content[900:1000]) == (196, 0, 0)
    assert updates.end() == updates.begin(begin(content)) == (196, 0, 0)
    assert updates.chunk((196).to_bytes(4, "big") + bytes(len(content)))[1:] == (update.REFUSED, update.SIZE)
    assert receive(updates, content)[1] == update.WRITTEN
    assert updates.end()[1] == update.WRITTEN


def test_a_signature_of_another_length_or_value_is_none():
    content = image()
    digest = bytes(32)
    for signature in (bytes(384), b"\xff" * 384, bytes(383), MAKER, content[4:388]):
        assert not update.is_signed(MAKER, signature, digest)


def test_the_one_that_runs_is_chosen():
    trial = {"run": "b", "back": "a", "tries": 2, "told": 0}
    for label, slot_before, slot_after, folder in (
        ("nothing was ever updated", {}, {}, "a"),
        ("settled", {"run": "b", "back": "", "tries": 0, "told": 0}, None, "b"),
        ("on trial", trial, {"run": "b", "back": "a", "tries": 1, "told": 0}, "b"),
        ("last try", dict(trial, tries=1), {"run": "b", "back": "a", "tries": 0, "told": 0}, "b"),
        ("it never came up", dict(trial, tries=0), {"run": "a", "back": "", "tries": 0, "told": 3}, "a"),
    ):
        yield label, list(boot.choose(slot_before)), [slot_before if slot_after is None else slot_after, folder]


def test_a_start_that_cannot_be_written_down_is_one_all_the_same():
    card = mounted(Card({"/slot": b'{"run": "b", "back": "a", "tries": 2, "told": 0}'}))
    card.full = True
    root, boot.ROOT = boot.ROOT, "/card"
    try:
        boot.start()
    finally:
        boot.ROOT = root
    yield "runs", [sys.path.pop(0), slot()["tries"]], ["/card/b", 2]


def test_a_power_cut_while_it_is_taken_leaves_one_image_that_runs():
    content = image()
    card = Card({"/a/scanner/app.py": b"OLD"})
    receive(fresh(card), content)
    for cut in range(1, card.used, STEP):
        card = Card({"/a/scanner/app.py": b"OLD"}, cut, True)
        try:
            receive(fresh(card), content)
        except PowerCut:
            pass
        reopened = fresh(Card(card.files))
        _, folder = boot.choose(slot())
        assert card.files["/a/scanner/app.py"] == b"OLD"
        if folder == "b":
            assert all([bytes(card.files["/b/" + name]).decode() == FILES[name] for name in FILES])
        assert receive(reopened, content)[1] == update.WRITTEN


def test_over_the_wire_it_restarts_and_tells_and_goes_back_if_it_hears_nobody():
    rig = Rig(maker=images.modulus)
    clock = Clock(rig)
    talk(rig, clock, 1500)
    content = image()
    clock.say(frame.UPDATE_BEGIN, begin(content))
    talk(rig, clock, 200)

    def state():
        return [body for kind, _, _, body in clock.heard if kind == frame.UPDATE_STATE][-1]

    while state()[4] == 0 and int.from_bytes(state()[:4], "big") < len(content):
        offset = int.from_bytes(state()[:4], "big")
        clock.say(frame.UPDATE_CHUNK, offset.to_bytes(4, "big") + content[offset : offset + 196])
        talk(rig, clock, 150)
    clock.say(frame.UPDATE_END)
    raises(machine.Reset, talk, rig, clock, 1000)
    clock.take(bytes(rig.line.sent))
    assert state()[4] == update.WRITTEN

    def start():
        slot_after, folder = boot.choose(slot())
        store.save(store.Files("/card", no_watchdog), "slot", slot_after)
        rig.line.sent = bytearray()
        rig.boot()
        return folder

    assert start() == "b"
    files = dict(rig.card.files)
    clock.heard = []
    talk(rig, clock, 3000)
    assert clock.heard[0][0] == frame.STATUS  # also before the update's state is sent
    assert state()[4] == update.BOOTED and slot()["back"] == "" and start() == "b"
    rig.card.files.clear()
    rig.card.files.update(files)
    rig.boot()
    rig.docked = False
    rig.run(200 * 1000, 1000)  # out of its base it cannot be welcomed, and waits
    rig.docked = True
    for _ in range(2):
        raises(machine.Reset, rig.run, 125 * 1000, 1000)  # it hears no clock
        assert start() == "b"
    raises(machine.Reset, rig.run, 125 * 1000, 1000)
    assert start() == "a"
    talk(rig, clock, 3000)
    assert state()[4] == update.REVERTED and slot()["told"] == 0


class SlowCard(Card):
    """A slow flash: each write, removal and read of 512 bytes takes `slow` milliseconds."""

    slow = 400

    def spend(self, count):
        machine.pass_time(self.slow)
        return Card.spend(self, count)

    def open(self, path, mode):
        file = Card.open(self, path, mode)
        read = file.read
        file.read = lambda length=-1: machine.pass_time(self.slow * len(file._content) // 20000) or read(length)
        return file


LARGE = {"scanner/part%d.py" % part: "PART = 1\n" * 900 for part in range(3)}


def slow_end(feed, slow=400, files=LARGE):
    """The answer to UPDATE_END on a slow flash under a watchdog that has just been fed, or what ended it."""
    card = SlowCard({"/b": None})
    for number in range(40):
        card.files["/b/old%d.py" % number] = b"OLD"
    card.slow = 0
    content = image(files=files)
    mounted(card)
    watchdog = machine.WDT(timeout=8000)
    updates = Updates(store.Files("/card", watchdog.feed if feed else no_watchdog), "rp2040", MAKER)
    offset = updates.begin(begin(content))[0]
    while offset < len(content):
        offset = updates.chunk(offset.to_bytes(4, "big") + content[offset : offset + 196])[0]
    watchdog.feed()
    card.slow = slow
    try:
        return updates.end()[1:]
    except machine.Reset:
        return "reset"
    finally:
        machine.WDT.remaining = None


def test_the_watchdog_is_fed_while_an_image_is_verified_and_unpacked():
    yield "a slow flash", slow_end(True), (update.WRITTEN, 0)
    yield "a control without feeding", slow_end(False), "reset"
    yield "a flash that hangs", slow_end(True, 8001), "reset"


def test_a_whole_scanner_takes_an_image_on_a_slow_flash_under_its_watchdog():
    rig = Rig(maker=images.modulus)
    slow = SlowCard(rig.card.files)
    slow.slow = 0
    rig.card = slow
    rig.boot()
    content = image(files=LARGE)
    updates = rig.scanner.updates
    offset = updates.begin(begin(content))[0]
    while offset < len(content):
        offset = updates.chunk(offset.to_bytes(4, "big") + content[offset : offset + 196])[0]
    rig.scanner.hardware.feed()
    slow.slow = 400
    try:
        assert updates.end()[1] == update.WRITTEN
    finally:
        machine.WDT.remaining = None


def test_the_watchdog_is_fed_while_the_files_of_a_told_log_are_removed():
    card = SlowCard()
    card.slow = 0
    mounted(card)
    feed = machine.WDT(timeout=8000).feed
    log = store.Log(store.Files("/card/taps", feed), Chance(3), 64, 1)
    for number in range(60):
        log.append(bytes(16), number, b"1234")
    log = store.Log(store.Files("/card/taps", feed), Chance(4), 64, 1)
    card.slow = 400
    feed()
    try:
        assert log.acknowledge(60) and log.used == 0
    finally:
        machine.WDT.remaining = None


def test_an_image_that_ends_before_its_files_do_is_refused_and_is_no_endless_loop():
    for claimed in (b"\0\1\0\0", b"\xff\xff\xff\xff"):
        card = Card({"/image": bytes(update._HEAD + 20) + b"\1\4x.py" + claimed + b"PART = 1"})
        updates = fresh(card)
        raises(OSError, updates._unpack)
        yield repr(claimed), [name for name in card.files if name.startswith("/b")], []
