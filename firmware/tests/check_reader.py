"""The PN532 over each bus: identifiers are whole or missing."""

import machine
import pn532
from kit import raises
from scanner.reader import HsuBus, I2cBus, Pn532, ReaderAbsent, ReaderFault, SpiBus

UIDS = (b"\x04\xa2\x24\xb1\xc2\xd3\x80", b"\xde\xad\xbe\xef", b"\x04\x11\x22\x33\x44\x55\x66\x77\x88\x99")


def drivers():
    for name in ("spi", "i2c", "hsu"):
        machine.CHIP = pn532.Chip()
        bus = {
            "spi": lambda: SpiBus(machine.SPI(0), machine.Pin(17, machine.Pin.OUT, value=1)),
            "i2c": lambda: I2cBus(machine.I2C(0)),
            "hsu": lambda: HsuBus(machine.UART(7)),
        }[name]()
        yield name, Pn532(bus, lambda _: None), machine.CHIP


def test_identifiers_come_whole_on_every_bus():
    for name, reader, chip in drivers():
        yield name + " none", reader.look(), None
        for uid in UIDS:
            chip.tag = uid
            yield "%s of %d" % (name, len(uid)), reader.look().hex(), uid.hex()


def test_it_sleeps_and_wakes_on_every_bus():
    for name, reader, chip in drivers():
        chip.tag = UIDS[0]
        looks = [reader.look(True), chip.asleep, reader.look(True), chip.asleep, reader.look(), chip.asleep]
        yield name, [look if isinstance(look, bool) else look.hex() for look in looks], [
            UIDS[0].hex(), True, UIDS[0].hex(), True, UIDS[0].hex(), False
        ]


def test_a_chip_that_does_not_answer_is_absent_and_may_come_later():
    for name, reader, chip in drivers():
        chip.dead = True
        raises(ReaderAbsent, reader.look)
        chip.dead, chip.tag = False, UIDS[1]
        yield name, reader.look().hex(), UIDS[1].hex()


def test_a_wrong_byte_is_a_fault_and_never_a_tag():
    for name, reader, chip in drivers():
        chip.tag = UIDS[0]
        reader.look()
        chip.noisy = True
        raises(ReaderFault, reader.look)
        raises(ReaderAbsent, reader.look)
        chip.noisy = False
        yield name, reader.look().hex(), UIDS[0].hex()


def test_a_chip_back_in_its_defaults_appends_nothing_to_an_identifier():
    for name, reader, chip in drivers():
        chip.tag = UIDS[1]
        reader.look()
        chip.forgetful = True
        raises(ReaderFault, reader.look)
        yield name, reader.look().hex(), UIDS[1].hex()
        assert chip.commands[-2:] == [0x32, 0x4A] and 0x12 in chip.commands[-4:]


def test_a_length_that_is_no_identifiers_is_a_fault():
    for name, reader, chip in drivers():
        chip.tag = bytes(5)
        raises(ReaderFault, reader.look)


def test_a_part_of_a_longer_identifier_is_none():
    for name, reader, chip in drivers():
        chip.tag, chip.size_bits = b"\x11\x22\x33\x44", 1  # the tag claims that it has 7
        raises(ReaderFault, reader.look)


def test_serial_answers_in_pieces_are_put_together():
    class Pieces:
        def __init__(self, chip):
            self.chip, self.waiting = chip, b""

        def any(self):
            self.waiting += self.chip.fetch()
            return len(self.waiting)

        def read(self):
            piece, self.waiting = self.waiting[:3], self.waiting[3:]
            return piece

        def write(self, data):
            self.chip.receive(bytes(data))

    chip = pn532.Chip()
    chip.tag = UIDS[2]
    assert Pn532(HsuBus(Pieces(chip)), lambda _: None).look() == UIDS[2]
