"""The prepared folder of a Java and a pyspark, with which Spark starts in a quarter of the time.

The folder in the cache holds copies of Spark's signed jars without signatures (a signed class cannot be archived), one
jar with the kit's own Java class, and an archive of the classes that short jobs load, ready for use.
`python -m streamlab.spark.fast_start.class_archive` makes it in under a minute; without it, Spark starts more slowly.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path

from streamlab.java import MissingPrerequisite
from streamlab.java.cache import acquire, cache_folder, lock_file, writable_folder
from streamlab.java.finder import Java, find_java, pyspark_jars
from streamlab.progress import OnProgress, silent
from streamlab.spark import fast_start

JAVA_SOURCES = Path(__file__).resolve().parent / "java"
ROOT = Path(__file__).resolve().parents[3]
OWN_JAR, ARCHIVE, BASE_ARCHIVE = "streamlab.jar", "classes.jsa", "java.jsa"
MADE_FOR = "made-for.txt"  # the paths of the Java and the pyspark that a folder was made for
FORM = "6"  # increase it with every change here that changes the contents of a folder

# Jars that no lab needs. Each lookup of a class walks all jars, and MLlib's costs half a second
# at each start, since it registers functions by Scala reflection. Without the fast start, all are on the class path.
NOT_NEEDED = re.compile(
    r"(spark-(mllib|graphx|hive|kubernetes|yarn|connect|repl)|hive-|kubernetes-|vertx-|datanucleus|derby|jdo-|javax\.jdo"
    r"|spire|algebra|breeze|cats-|JTransforms|JLargeArrays|arpack|blas-|lapack-|HikariCP|antlr-runtime|ST4|libthrift"
    r"|libfb303|jline|super-csv|opencsv|zjsonpatch|jjwt|tink|bcprov|scala-compiler|jaxb|istack|stax|jta|transaction-api"
    r"|commons-dbcp|commons-pool|json-1|xmlschema|javolution|jpam|jodd|netty-tcnative)"
)
# Two thirds of the classes that labs load are in these twelve jars of 170. Java looks for a class in one jar after
# another, so they come first; no class of theirs is in another jar.
SEARCHED_FIRST = re.compile(
    r"(spark-(catalyst|core|sql|sql-api|network-common)_|scala-(library|reflect)-|log4j-core-|jackson-databind-"
    r"|hadoop-client-api-|janino-|netty-common-)"
)
FOLDER_NAME = re.compile(r"spark-[0-9a-f]{16}")
SIGNATURE = re.compile(r"META-INF/[^/]*\.(SF|RSA|DSA|EC)$")


class NotPrepared(MissingPrerequisite):
    """The folder could not be made; the message says why."""


def prepared_folder(java: Java) -> Path | None:
    """Return the folder for this Java and this pyspark; None if it does not exist yet or the fast start is off."""
    if not fast_start.is_on():
        return None
    name = _name(java)
    found = (base / name for base in (cache_folder(), writable_folder()))
    return next((folder for folder in found if (folder / ARCHIVE).exists()), None)


def class_path(folder: Path | None) -> str:
    """Return the class path for Java: the copies of jars in `folder`, and pyspark's own for the others.

    An archive is valid only for a class path that begins with the same names as the one it was made with. Java 17
    archives nothing from a path with a space: there Spark starts as slowly as without an archive.
    """
    needed: list[str] = []
    others: list[str] = []
    for jar in sorted(pyspark_jars(), key=lambda jar: not SEARCHED_FIRST.match(jar.name)):
        copy = folder / jar.name if folder else jar
        chosen = copy if copy.exists() else jar
        (others if NOT_NEEDED.match(jar.name) else needed).append(str(chosen))
    own = [str(folder / OWN_JAR)] if folder and (folder / OWN_JAR).exists() else []
    return ":".join([*own, *needed, *([] if fast_start.is_on() else others)])


def prepare(on_progress: OnProgress = silent) -> Path:
    """Make the folder if it is missing, and return it. Takes up to a minute; raises `NotPrepared`, `JavaNotFound`."""
    if not fast_start.is_on():
        raise NotPrepared(f"{fast_start.SWITCH}=0 turns the fast start off, so nothing was prepared")
    java = find_java()
    base = writable_folder()
    with open(lock_file("spark"), "w") as lock:
        acquire(lock, "prepares Spark", on_progress)  # a second one then finds the folder
        return prepared_folder(java) or _make(base / _name(java), java)


def _make(folder: Path, java: Java) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / MADE_FOR).write_text(_made_for(java), encoding="utf-8")
    _copy_signed_jars(folder)
    for step in ("compile", "archive"):
        ran = subprocess.run(
            [sys.executable, "-m", "streamlab.spark.fast_start.training_run", step, str(folder)],
            capture_output=True, text=True, check=False, cwd=ROOT,
        )  # fmt: skip
        if ran.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            why = (ran.stderr.strip() or "no message").splitlines()[-1]
            raise NotPrepared(f"preparing Spark failed at `{step}`: {why}")
    _forget_unused(folder)
    return folder


def pack_own_classes(classes: Path, folder: Path) -> None:
    """Put the compiled classes below `classes` into the kit's own jar in `folder`."""
    with zipfile.ZipFile(folder / OWN_JAR, "w") as jar:
        for file in sorted(classes.rglob("*.class")):
            jar.write(file, file.relative_to(classes))


def _name(java: Java) -> str:
    """Return a name that changes with anything that the archive depends on."""
    program = _program(java)
    parts = [FORM, *(file.read_text(encoding="utf-8") for file in sorted(JAVA_SOURCES.rglob("*.java")))]
    for file in [program, *pyspark_jars()]:
        stat = file.stat()
        parts.append(f"{file} {stat.st_size} {stat.st_mtime_ns}")
    return f"spark-{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:16]}"


def _program(java: Java) -> Path:
    return (Path(java.home) / "bin" / "java").resolve()  # regardless of the path by which it was found


def _made_for(java: Java) -> str:
    return f"{_program(java)}\n{pyspark_jars()[0].parent}\n"


def _copy_signed_jars(folder: Path) -> None:
    for jar in pyspark_jars():
        if not (folder / jar.name).exists() and _is_signed(jar):
            _copy_unsigned(jar, folder / jar.name)


def _is_signed(jar: Path) -> bool:
    if NOT_NEEDED.match(jar.name):
        return False
    with zipfile.ZipFile(jar) as archive:
        return any(SIGNATURE.match(name) for name in archive.namelist())


def _copy_unsigned(jar: Path, copy: Path) -> None:
    draft = copy.with_suffix(".draft")
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(draft, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "META-INF/MANIFEST.MF":
                content = re.split(rb"\r?\n\r?\n", content)[0] + b"\n\n"  # the rest are digests of the entries
            if not SIGNATURE.match(entry.filename):
                target.writestr(entry.filename, content)
    draft.replace(copy)


def _forget_unused(current: Path) -> None:
    """Delete other folders, 150 MB each, that were made for the same paths earlier, or for paths that are gone."""
    here = (current / MADE_FOR).read_text(encoding="utf-8")
    for other in current.parent.iterdir():
        if FOLDER_NAME.fullmatch(other.name) and other != current:
            made_for = other / MADE_FOR
            text = made_for.read_text(encoding="utf-8") if made_for.exists() else here
            if text == here or not all(Path(each).exists() for each in text.splitlines()):
                shutil.rmtree(other, ignore_errors=True)


if __name__ == "__main__":
    try:
        print(prepare(on_progress=partial(print, flush=True)))
    except RuntimeError as error:
        sys.exit(f"lab: {error}")
