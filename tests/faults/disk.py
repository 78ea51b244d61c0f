"""What a disk can hold after a loss of power: a folder's files as a program's journal (journal.h) says that they were changed, less
what the disk had not been told to keep.

Content that was not synced since it was written can be there, missing, torn at blocks of 512 bytes, or there in any order. A name
(made, renamed, removed) counts as kept once its folder was synced; before, the changes up to some moment are there, or any of them.
A disk that keeps what it said it would keep is assumed."""

import os

BLOCK = 512


def records_of(journal):
    """(kind, descriptor, position, bytes) of each."""
    data, at = journal.read_bytes(), 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, descriptor, position, count = data[at:end].split()
        at = end + 1 + int(count)
        yield kind.decode(), int(descriptor), int(position), data[end + 1 : at]


class File:
    def __init__(self, kept=b""):
        self.kept, self.waiting = bytes(kept), []  # waiting: (position, bytes); (size, None): resized

    def sync(self):
        self.kept, self.waiting = self.content(self.waiting), []

    def content(self, changes):
        out = bytearray(self.kept)
        for position, written in changes:
            if written is None:
                out = out[:position].ljust(position, b"\0")
                continue
            out = out.ljust(position, b"\0") if len(out) < position else out
            out[position : position + len(written)] = written
        return bytes(out)

    def after_loss(self, draw):
        how = draw.choice(("nothing", "in order", "in order", "any"))
        if how == "nothing" or not self.waiting:
            return self.kept
        if how == "in order":
            done = draw.randrange(len(self.waiting) + 1)
            changes = self.waiting[:done]
            if done < len(self.waiting) and self.waiting[done][1] is not None:
                position, written = self.waiting[done]
                changes = changes + [(position, written[: draw.randrange(len(written) + 1) // BLOCK * BLOCK])]
            return self.content(changes)
        pieces = []
        for position, written in self.waiting:
            if written is None:
                pieces.append((position, None))
                continue
            edges = [0, *range(BLOCK - position % BLOCK, len(written), BLOCK), len(written)]
            pieces += [(position + a, written[a:b]) for a, b in zip(edges, edges[1:]) if b > a]
        return self.content([piece for piece in pieces if draw.random() < 0.5])


class Disk:
    """`root` is the folder that was changed, `template` what lay there before."""

    def __init__(self, root, template):
        self.root = str(root)
        self.now = {}  # path below the folder: its File, or None for a folder
        for path in template.rglob("*"):
            self.now[str(path.relative_to(template))] = None if path.is_dir() else File(path.read_bytes())
        self.kept = dict(self.now)
        self.waiting = []  # changes of names: lists of (path, its File or None or "gone")
        self.open = {}

    def below(self, path):
        path = os.path.normpath(path.decode())
        return os.path.relpath(path, self.root) if (path + "/").startswith(self.root + "/") else None

    def apply(self, record):
        kind, descriptor, position, data = record
        if kind in "WTS":
            self.change(kind, self.open.get(descriptor), position, data)
        elif kind == "O":
            self.opened(descriptor, position, self.below(data))
        else:
            self.renamed(kind, [self.below(name) for name in data.split(b"\0")])

    def change(self, kind, what, position, data):
        if isinstance(what, str):  # a folder
            if kind == "S":
                self.sync_folder(what)
        elif what is not None and kind == "S":
            what.sync()
        elif what is not None:
            what.waiting.append((position, data if kind == "W" else None))

    def opened(self, descriptor, emptied, path):
        self.open.pop(descriptor, None)
        if path is None:
            return
        if path == "." or (path in self.now and self.now[path] is None):
            self.open[descriptor] = path
            return
        if path not in self.now:
            self.name([(path, File())])
        elif emptied:
            self.now[path].waiting.append((0, None))
        self.open[descriptor] = self.now[path]

    def renamed(self, kind, paths):
        if kind == "M" and paths[0] not in self.now:
            self.name([(paths[0], None)])
        elif kind in "UD" and paths[0] in self.now:
            self.name([(paths[0], "gone")])
        elif kind == "L" and paths[1] is not None:
            self.name([(paths[1], self.now[paths[0]])])
        elif kind == "R":
            moved = [(path, what) for path, what in self.now.items() if path == paths[0] or path.startswith(paths[0] + "/")]
            self.name([(path, "gone") for path, _ in moved] + [(paths[1] + path[len(paths[0]) :], what) for path, what in moved])

    def name(self, changes):
        self.waiting.append(changes)
        set_names(self.now, changes)

    def sync_folder(self, folder):
        def of_folder(changes):
            return any((os.path.dirname(path) or ".") == folder for path, _ in changes)

        for changes in filter(of_folder, self.waiting):
            set_names(self.kept, changes)
        self.waiting = [changes for changes in self.waiting if not of_folder(changes)]

    def write(self, target, content, names):
        """Makes the folder `target`."""
        target.mkdir()
        for path in sorted(names):
            place = target / path
            if not all(str(parent) in names or str(parent) == "." for parent in list(place.relative_to(target).parents)):
                continue  # its folder is lost
            if names[path] is None:
                place.mkdir(exist_ok=True)
            else:
                place.write_bytes(content(names[path]))

    def write_all(self, target):
        self.write(target, lambda file: file.content(file.waiting), self.now)

    def write_after_loss(self, target, draw):
        names = dict(self.kept)
        if draw.random() < 0.5:
            changes = self.waiting[: draw.randrange(len(self.waiting) + 1)]
        else:
            changes = [one for one in self.waiting if draw.random() < 0.5]
        for one in changes:
            set_names(names, one)
        self.write(target, lambda file: file.after_loss(draw), names)


def set_names(names, changes):
    for path, what in changes:
        if what == "gone":
            names.pop(path, None)
        else:
            names[path] = what
