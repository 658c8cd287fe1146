"""damage: files and manifests that were changed, and what docs/FORMAT.md says a reader makes of them."""

import io
import os
import re
import struct

from program import position_text
from second_reader import Manifest, Refusal, Table, Tablebase, parse_subspace, subspace_name, xxh64

# Offsets of the header that only the values contradict: longest depths and their slots, hash of the values.
LONGEST, VALUES_HASH = range(112, 136), range(160, 192)
# The words of the program for the kinds of section 12.
STATUS = {"corrupt": "damaged", "newer version": "newer", "older version": "older",
          "other rules": "other rules", "missing": "missing"}


def read_all(data, name, rules):
    """All values, or the kind of the refusal."""
    try:
        table = Table(io.BytesIO(data), name, rules)
        return tuple(table.value(slot) for slot in range(table.facts["slots"]))
    except Refusal as refusal:
        return refusal.kind


def changed(data, at, flip):
    return data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :]


def sealed(data):
    """A small file whose checksums fit again: those of entries, groups, version and header."""
    data = bytearray(data)
    data[264:272] = struct.pack("<Q", xxh64(bytes(data[272:288])))
    data[152:160] = struct.pack("<Q", xxh64(bytes(data[256:272])))
    data[12:16] = struct.pack("<I", xxh64(bytes(data[:12])) & 0xFFFFFFFF)
    data[248:256] = struct.pack("<Q", xxh64(bytes(data[:248])))
    return bytes(data)


def check_every_byte(data, name, rules):
    """Any byte changed, any length cut: damaged."""
    for at in range(len(data)):
        for flip in (0x01, 0x80, 0xFF):
            kind = read_all(changed(data, at, flip), name, rules)
            assert kind == "damaged", f"{name}, byte {at} changed by {flip:#x}: {kind}"
        assert read_all(data[:at], name, rules) == "damaged", f"{name} of {at} bytes"
    assert read_all(data + b"\0", name, rules) == "damaged", f"{name} and a byte"


def expected_kinds(at, number):
    """What a reader may say of a file with fitting checksums and another byte there."""
    if 8 <= at < 12:
        return {"newer"} if number > 2 else {"older"} if number == 1 else {"damaged"}
    if 16 <= at < 32:
        return {"other rules"}
    return {"damaged"} | ({None} if at in LONGEST or at in VALUES_HASH else set())


def check_every_field(program, game, rules, name, data, directory):
    """Every byte of header and index that is no checksum, with checksums that fit; both programs."""
    os.makedirs(directory, exist_ok=True)
    fields = [*range(0, 12), *range(16, 152), *range(160, 248), *range(256, 264), *range(272, 280)]
    values = read_all(data, name, rules)
    for at in fields:
        for flip in (0x01, 0x02, 0x03, 0x80):
            file = sealed(changed(data, at, flip))
            kinds = expected_kinds(at, int.from_bytes(file[8:12], "little"))
            found = read_all(file, name, rules)
            where = f"{name}, byte {at} changed by {flip:#x} with fitting checksums"
            assert (None if found == values else found) in kinds, f"{where}: {found}"
            if flip == 0x01:
                check_program(program, game, rules, name, file, directory, (where, kinds, values[0]))
    os.remove(os.path.join(directory, name))


def check_program(program, game, rules, name, file, directory, expected):
    """The program, which finds the file alone in a directory, says the same."""
    where, kinds, value = expected
    with open(os.path.join(directory, name), "wb") as out:
        out.write(file)
    a, b, ha, hb = parse_subspace(name.rsplit(".", 1)[0])
    text = position_text(rules.board, *rules.board.position_at(a, b, 0), ha, hb)
    answer = program.probe(game, directory, [text])[0]
    if "error" in answer:
        assert STATUS.get(answer["status"]) in kinds, f"{where}: the program: {answer}"
    else:
        assert None in kinds and answer["value"] == value[0], f"{where}: the program: {answer}"


def check_hash_of_values(data, name, rules):
    """A value changed and all checksums with it: only the hash of the values tells."""
    start = 288
    file = bytearray(changed(data, start, 0x01))
    file[280:288] = struct.pack("<Q", xxh64(bytes(file[start:])))
    try:
        table = Table(io.BytesIO(sealed(bytes(file))), name, rules)
        assert table.compute_values_hash() != table.values_hash, f"{name}: hash of changed values"
    except Refusal as refusal:
        assert refusal.kind == "damaged"


def check_second_group(path, name, rules):
    """Damage in the entries of the second group is found there, and the first is read."""
    with open(path, "rb") as file:
        data = file.read()
    intact = Table(io.BytesIO(data), name, rules)
    assert len(intact.checks) >= 2, f"{name} has one group"
    entries = 256 + 16 * len(intact.checks)
    table = Table(io.BytesIO(changed(data, entries + 2048 + 5, 0x10)), name, rules)
    assert table.value(0) == intact.value(0)
    first = 128 * intact.per_block
    intact.value(first)
    try:
        table.value(first)
    except Refusal as refusal:
        assert refusal.kind == "damaged"
    else:
        raise AssertionError(f"{name}: a value from a damaged group")


# ---- manifests --------------------------------------------------------------------------------------


def manifest_kind(data, rules=None):
    try:
        Manifest(data, rules)
        return None
    except Refusal as refusal:
        return refusal.kind


def with_checksum(text):
    """A manifest whose last line fits again."""
    body = text[: text.rindex(b"# checksum ")]
    return body + b"# checksum %016x\n" % xxh64(body)


def check_manifest_bytes(data):
    """Any byte changed or gone, any length cut."""
    version = data.index(b"\n") - 1
    for at in range(len(data)):
        for flip in (0x01, 0x03, 0x20):
            kind = manifest_kind(changed(data, at, flip))
            number = data[at] ^ flip
            first = "newer" if number > 0x32 else "older" if number >= 0x30 else "damaged"
            expected = first if at == version and number <= 0x39 else "damaged"
            assert kind == expected, f"manifest, byte {at} changed by {flip:#x}: {kind}"
        assert manifest_kind(data[:at]) == "damaged", f"manifest of {at} bytes"
        assert manifest_kind(data[:at] + data[at + 1 :]) == "damaged", f"manifest without byte {at}"
    assert manifest_kind(data[:version] + b"10" + data[version + 1 :]) == "newer"


def check_manifest_lines(data):
    """A line gone, doubled, or changed places with the next, under a fitting checksum."""
    lines = data.splitlines(keepends=True)
    for k in range(1, len(lines) - 1):
        for other in (lines[:k] + lines[k + 1 :], lines[: k + 1] + lines[k:],
                      lines[:k] + [lines[k + 1], lines[k]] + lines[k + 2 :]):
            if other[-1].startswith(b"# checksum"):
                other = with_checksum(b"".join(other)).splitlines(keepends=True)
            kind = manifest_kind(b"".join(other))
            assert kind == "damaged", f"manifest, line {k + 1}: {kind}"


def check_manifest_digits(directory, data):
    """Every digit changed under a fitting checksum: refused, or a table contradicts it, or it is in the
    SHA-256 of a file, which a look-up does not ask for."""
    files = {m.start(): m.end() for m in re.finditer(rb"^[0-9a-f]{64}  ", data, re.M)}
    end = data.rindex(b"# checksum")
    for at in (m.start() for m in re.finditer(rb"[0-9]", data[:end])):
        if at <= data.index(b"\n") or any(a <= at < b for a, b in files.items()):
            continue
        other = with_checksum(changed(data, at, 0x01))
        if manifest_kind(other) is None:
            assert contradicted(directory, other), f"manifest, digit {at}: accepted"


def contradicted(directory, text):
    """Whether a table is refused, and none is read with a wrong fact."""
    path = os.path.join(directory, "MANIFEST")
    with open(path, "rb") as file:
        kept = file.read()
    try:
        with open(path, "wb") as file:
            file.write(text)
        base, kinds = Tablebase(directory, "dtm"), set()
        for subspace in base.listed:
            try:
                base.table(subspace)
            except Refusal as refusal:
                kinds.add(refusal.kind)
        return kinds == {"damaged"}
    finally:
        with open(path, "wb") as file:
            file.write(kept)


def check_manifest_program(program, game, rules, directory, data, step):
    """The program says of a changed manifest what the second reader says; and it still reads the true one."""
    path = os.path.join(directory, "MANIFEST")
    texts = [changed(data, at, 0x01) for at in range(0, len(data), step)]
    texts += [re.sub(b"version 2", b"version %d" % v, data, count=1) for v in (1, 3, 10)]
    position = position_text(rules.board, 0, 0, *base_start(directory))
    try:
        for text in texts:
            with open(path, "wb") as file:
                file.write(text)
            said, kind = program.refusal("probe", game, position, "--db", directory), manifest_kind(text, rules)
            assert said == kind, f"manifest: {kind}, the program: {said}"
    finally:
        with open(path, "wb") as file:
            file.write(data)
    assert "value" in program.probe(game, directory, [position])[0]


def base_start(directory):
    return next(s[2:] for s in Tablebase(directory, "dtm").listed if s[:2] == (0, 0))


def check_manifest_growth(program, game, directory, data):
    """Optional lines are skipped and kept; a dropped table is not kept, counts in the root, and not in
    what is complete."""
    noted = with_checksum(data.replace(b"# checksum", b"#? evidence of a later kind\n# checksum"))
    assert Manifest(noted).text().encode() == noted
    subspace = max(Manifest(data).editions["dtm"].tables, key=lambda s: s[0] + s[1])
    name = subspace_name(subspace).encode()
    dropped = re.sub(rb"# table (%s .*\n).*\n" % name, rb"# dropped \1", data, count=1)
    assert manifest_kind(with_checksum(dropped)) == "damaged", "complete without a table"
    dropped = with_checksum(re.sub(rb"# complete .*", b"# complete -", dropped, count=1))
    path = os.path.join(directory, "MANIFEST")
    for text in (noted, dropped):
        with open(path, "wb") as file:
            file.write(text)
        assert program.refusal("list", game, "--db", directory) is None
        base = Tablebase(directory, "dtm")
        assert base.manifest.editions["dtm"].root(base.rules).hex().encode() in data
    try:
        base.table(subspace)
    except Refusal as refusal:
        assert refusal.kind == "not kept"
    else:
        raise AssertionError("a dropped table was opened")
    with open(path, "wb") as file:
        file.write(data)
