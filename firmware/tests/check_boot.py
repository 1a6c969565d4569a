"""A scanner starts whatever its files hold, and sends each tap that it has signalled."""

import os
import sys

import boot
import main
from kit import Card, Chance, PowerCut, mounted, no_watchdog
from rig import KEY, Clock, Rig, talk
from scanner import frame, signal, store

STEP = 160  # run.mjs sets 1 for `prove`
UNIT = b'{"serial": "SW-1", "board": "rp2040", "maker": "", "log": [64, 96]}'
SLOT = b'{"run": "a", "back": "", "tries": 0, "told": 0}'
SETTINGS = b'{"key": "%s", "name": "Halle"}' % KEY.hex().encode()
FOLDER = None  # in place of a file
DAMAGES = {
    "missing": "missing",
    "a folder": FOLDER,
    "empty": b"",
    "a list": b"[]",
    "a list of objects": b'[{"run": "a"}]',
    "a number": b"7",
    "a text": b'"a"',
    "null": b"null",
    "true": b"true",
    "NaN": b"NaN",
    "another object": b'{"what": 1}',
    "deeply nested": b"[" * 3000,
    "deeply nested objects": b'{"a":' * 500,
    "zeros": bytes(60),
    "erased flash": b"\xff" * 60,
    "no UTF-8": b'{"name": "\xc3\x28", "run": "\xff"}',
    "large": b'{"a": "' + b"x" * 20000 + b'"}',
}
WRONG = (b"null", b"5", b"-1", b"1e99", b"[]", b"{}", b'""', b'"\xc3\xa4"', b'"../x"', b"true", b'"' + b"1" * 70 + b'"')
MEMBERS = {
    "/unit.json": (b'"SW-1"', b'"rp2040"', b'""', b"[64, 96]"),
    "/unit.copy": (b'"SW-1"', b'"rp2040"', b'""', b"[64, 96]"),
    "/slot": (b'"a"', b'""', b"0, ", b"0}"),
    "/scanner.json": (b'"Halle"', b'"%s"' % KEY.hex().encode()),
}
TAPS = 5


class Folders(Card):
    """A card that minds what is a folder, and whose files may be read as text."""

    def remove(self, path):
        if [name for name in self.files if name.startswith(path + "/")]:
            raise OSError(39)
        Card.remove(self, path)

    rmdir = remove

    def rename(self, old, new):
        if old not in self.files:
            raise OSError(2)
        if new in self.files and (self.files[new] is FOLDER) != (self.files[old] is FOLDER):
            raise OSError(21)
        Card.rename(self, old, new)
        for path in [path for path in self.files if path.startswith(old + "/")]:
            self.files[new + path[len(old) :]] = self.files.pop(path)

    def ilistdir(self, path):
        if path != "/" and self.files.get(path.rstrip("/"), b"") is not FOLDER:
            raise OSError(20)
        return Card.ilistdir(self, path)

    def open(self, path, mode):
        folder = path[: path.rfind("/")]
        if self.files.get(path, b"") is FOLDER:
            raise OSError(21)
        if self.files.get(folder, FOLDER) is not FOLDER:
            raise OSError(20)
        file = Card.open(self, path, mode)
        if "b" not in mode:
            read, write = file.read, file.write
            file.read = lambda length=-1: read(length).decode()
            file.write = lambda text: write(text.encode())
        return file


class Start(Rig):
    """A scanner that starts as a board does: boot.py, then main.py, from its card."""

    def start(self, card):
        self.card = card
        mounted(card)
        path = list(sys.path)
        boot.ROOT = main.ROOT = "/card"
        os.urandom = self.chance
        play = signal.Player.play
        self.sounded = []

        def remember(player, name, now):
            self.sounded.append(name)
            play(player, name, now)

        signal.Player.play = remember
        try:
            boot.start()
            self.folder = sys.path[0]
            sys.path[:] = path
            self.boot(main.make)
        finally:
            sys.path[:] = path
            signal.Player.play = play


def flash():
    """The files of a scanner that has run before, with taps of an earlier start."""
    card = mounted(Folders({"/taps": None}))
    for image in ("/a", "/b"):
        card.files[image] = card.files[image + "/scanner"] = FOLDER
        card.files[image + "/scanner/app.py"] = b""
    log = store.Log(store.Files("/card/taps", no_watchdog), Chance(3), 64, 96)
    for number in range(1, TAPS + 1):
        log.append(bytes(16), number, bytes([4, 0, 0, number]))
    card.files.update({"/unit.json": UNIT, "/unit.copy": UNIT, "/slot": SLOT, "/scanner.json": SETTINGS})
    card.files["/taps/overflow"] = b"x" * 12
    return card.files


def segment(files):
    return [name for name in files if name.startswith("/taps/") and name.endswith("-00000001")][0]


def without(files, path):
    return {name: files[name] for name in files if name != path and not name.startswith(path + "/")}


def damaged(files, path, damage):
    files = without(files, path)
    if damage is FOLDER:
        files[path + "/inside"] = b"1"
    if damage != "missing":
        files[path] = damage
    return files


def started(files):
    rig = Start()
    rig.start(Folders(files))
    return rig


def ticks_told(rig):
    """Returns the ticks of all taps that the clock gets, which adopts the scanner again if it has lost its key."""
    clock = Clock(rig)
    for _ in range(20):
        talk(rig, clock, 400)
        if not rig.scanner.log.used:
            break
        if not rig.scanner.adopted and clock.heard:
            clock.say(frame.ADOPT, KEY + b"Halle" + bytes(19))
    ticks = [int.from_bytes(tap[1], "big") for tap in clock.journal.values() if tap[2] and tap[0] == bytes(16)]
    return sorted(ticks)


def lives(rig, taps=TAPS):
    """Asserts that a scanner serves, and that no tap of the earlier start is lost."""
    ticks = ticks_told(rig)
    assert ticks == list(range(1, taps + 1)), "told %s" % ticks
    rig.chip.tag = b"\4\7\7\7"
    rig.run(300)
    assert rig.played[-1:] == ["stored" if rig.scanner.adopted else "unadopted"], "the next tap"


def test_a_scanner_comes_up_with_each_damage_of_each_file_and_loses_no_tap():
    intact = flash()
    paths = sorted(MEMBERS) + ["/slot.new", "/scanner.json.new", "/image", "/image.new", "/unit.new"]
    paths += ["/taps/" + name for name in ("overflow", "overflow.new", "epochs", "epochs.new")]
    for path in paths:
        for damage in sorted(DAMAGES):
            wrong = ""
            try:
                rig = started(damaged(intact, path, DAMAGES[damage]))
                lives(rig)
                rig.start(Folders(rig.card.files))  # what came up once comes up again
                lives(rig, 0)
            except Exception as error:
                sys.print_exception(error)
                wrong = repr(error)
            yield "%s, %s" % (path, damage), wrong, ""


def test_a_scanner_comes_up_with_each_wrong_member_of_its_files():
    intact = flash()
    for path in sorted(MEMBERS):
        for member in MEMBERS[path]:
            wrong = []
            for value in WRONG:
                content = intact[path].replace(member, value + (b"}" if member[-1:] == b"}" else b", " if member[-1:] == b" " else b""), 1)
                try:
                    lives(started(damaged(intact, path, content)))
                except Exception as error:
                    wrong.append([value.decode(), repr(error)])
            yield "%s, %s" % (path, member.decode()), wrong, []


def test_a_scanner_comes_up_with_its_files_cut_at_every_byte():
    intact = flash()
    for path in sorted(MEMBERS):
        for length in range(0, len(intact[path]), max(1, STEP // 4)):
            lives(started(damaged(intact, path, intact[path][:length])))


def test_what_is_in_the_way_of_the_log_is_set_aside_and_not_deleted():
    intact = flash()
    ours = segment(intact)
    foreign = ["x", "a-b", "-", "--", "0001-00000007-0000000g", "0001-00000007-00000000", "0001-00000007--0000001"]
    foreign += ["+001-00000007-00000001", "0001-0x000007-00000001", "1_1-00000007-00000001", "0001-00000007-000000001"]
    foreign += ["zzzz-00000007-00000001", "00000007-0000000 ", "1-2-3-4", ".", "0001-00000007-00000001.aside9"]
    foreign += [ours[6:].replace("-00000001", "-ffffffff"), ours[6:].replace("-00000001", "-0fffffff"), ours[6:] + ".new"]
    foreign += ["0009-00000009-ffffffff", "ffffffff-00000009-00000001", ours[6:].replace("-00000001", "-00000003")]
    for content in (b"", b"foreign" * 30, FOLDER):
        for name in foreign[:14] + foreign[15:]:
            files = damaged(intact, "/taps/" + name, content)
            wrong = ""
            try:
                rig = started(files)
                set_aside = [path for path in rig.card.files if name in path and rig.card.files[path] == content]
                lives(rig)
                assert set_aside or content == b"" or name in foreign[-2:], "deleted"
            except Exception as error:
                wrong = repr(error)
            yield "%s, %s" % (name, "a folder" if content is FOLDER else len(content)), wrong, ""


def test_a_file_in_the_place_of_a_folder_is_set_aside():
    intact = flash()
    rig = started(damaged(intact, "/taps", b"taps"))
    lives(rig, 0)
    assert rig.card.files["/taps.aside1"] == b"taps"
    for path in ("/a", "/b"):
        rig = started(damaged(intact, path, b"image"))
        yield path, rig.folder, "/card/b" if path == "/a" else "/card/a"
        lives(rig)


def test_damage_sounds_at_the_start_and_only_at_the_first():
    intact = flash()
    nameless = SETTINGS.replace(b'"Halle"', b"[]")
    for path, damage in (("/unit.json", b"[]"), ("/scanner.json", nameless), ("/taps/00000007-zzzzzzzz", b"x")):
        rig = started(damaged(intact, path, damage))
        first = rig.sounded[-1]
        rig.start(Folders(rig.card.files))
        yield path, [first, rig.sounded], ["error", ["ready"]]


def test_a_key_that_can_be_read_outlives_a_name_that_cannot():
    rig = started(damaged(flash(), "/scanner.json", SETTINGS.replace(b'"Halle"', b"[]")))
    for _ in range(2):
        assert rig.scanner.key == KEY and rig.scanner.name == ""
        rig.start(Folders(rig.card.files))


def test_a_damaged_slot_puts_one_image_on_trial_and_the_other_is_the_way_back():
    rig = started(damaged(flash(), "/slot", b"[]"))
    folders = [rig.folder]
    for _ in range(3):
        rig.start(Folders(rig.card.files))
        folders.append(rig.folder)
    assert folders == ["/card/a"] * 3 + ["/card/b"]
    only = started(damaged(without(flash(), "/b"), "/slot", b"[]"))
    assert only.folder == "/card/a" and not only.scanner.updates.on_trial


def test_a_slot_that_names_an_image_that_is_not_there_runs_the_other():
    for run, back in (("b", ""), ("b", "a"), ("a", "b")):
        slot = SLOT.replace(b'"run": "a", "back": ""', b'"run": "%s", "back": "%s"' % (run.encode(), back.encode()))
        rig = started(damaged(without(flash(), "/b"), "/slot", slot))
        yield "%s, back to %s" % (run, back), [rig.folder, rig.scanner.updates.on_trial], ["/card/a", False]


def test_a_power_cut_while_damage_is_mended_loses_no_tap():
    intact = flash()
    for path in sorted(MEMBERS) + ["/taps/epochs", "/taps/00000007-zzzzzzzz", segment(intact).replace("-00000001", "-ffffffff")]:
        for damage in (b"[]", FOLDER):
            for torn in (False, True):
                whole_card = Folders(damaged(intact, path, damage))
                Start().start(whole_card)
                for cut in range(0, whole_card.used + 1, STEP // 8 or 1):
                    card = Folders(damaged(intact, path, damage), cut, torn)
                    try:
                        Start().start(card)
                    except PowerCut:
                        pass
                    lives(started(card.files))


def test_a_full_flash_with_damage_still_tells_its_taps():
    intact = flash()
    for path in ("/slot", "/unit.json", "/taps/epochs", "/taps/00000007-zzzzzzzz"):
        for damage in (b"[]", FOLDER):
            rig = Start()
            card = Folders(damaged(intact, path, damage))
            card.full = True
            rig.start(card)
            yield "%s, %s" % (path, damage), ticks_told(rig), list(range(1, TAPS + 1))
