"""Install a lock into .venv: with uv, or with pip where uv cannot be had. `lab` runs this before anything is there.

`python -I installation.py ROOT LOCK STAMP_FILE STAMP`, with the Python that `lab` found; so it imports the standard
library only. For requirements.lock it makes the environment again and prepares Spark; any other lock is added. Once all
is there, .venv/STAMP_FILE holds STAMP.
"""

import ast
import fcntl
import importlib.util
import os
import shutil
import signal
import ssl
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

KIT_LOCK, DEV_LOCK, UV_LOCK = "requirements.lock", "requirements-dev.lock", "requirements-uv.lock"
PREPARE_SPARK = "streamlab.spark.fast_start.class_archive"
HASHED = ("--require-hashes", "--no-deps")
# Spark comes as source, 430 MB of jars: deflating them into a wheel takes longer than all else and saves nothing.
STORED = ("--config-settings-package", "pyspark:--build-option=--compression=stored")

# What pip is configured with, in the words of uv, which reads none of pip's files and variables.
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "timeout": "UV_HTTP_TIMEOUT",
}
LISTS = {"extra-index-url": " ", "find-links": ",", "trusted-host": " "}
ALWAYS = {"UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never", "UV_INDEX_STRATEGY": "unsafe-best-match"}
FLAGS = {"no-index": "--no-index", "no-cache-dir": "--no-cache"}
NO = ("", "0", "n", "no", "f", "false", "off")


def pip_wheel() -> Path | None:
    """The wheel of pip that comes with Python: with ensurepip, or where a distribution keeps all such wheels."""
    found = importlib.util.find_spec("ensurepip")
    own = Path(found.origin).parent / "_bundled" if found and found.origin else None
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), own]
    return next((wheel for folder in folders if folder for wheel in Path(folder).glob("pip-*.whl")), None)


class InstallFailed(Exception):
    """The packages could not be installed; the text is for the user, in one line."""


def main(root: Path, lock: str, stamp_file: str, stamp: str) -> int:
    """Install `lock` unless another lab has done it meanwhile; return the exit code."""
    made = root / ".venv" / stamp_file
    try:
        with one_at_a_time(root):
            if not made.exists() or made.read_text(encoding="utf-8").strip() != stamp.strip():
                install(Environment(root), lock)
                made.write_text(f"{stamp.strip()}\n", encoding="utf-8")
    except InstallFailed as problem:
        say(str(problem))
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def say(text: str) -> None:
    """Tell the user, on stderr: stdout belongs to the verb."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


@contextmanager
def one_at_a_time(root: Path) -> Iterator[None]:
    """Hold this kit's lock, which the system releases with the process, however it ends."""
    with open(root / ".venv.lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another lab is installing here; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(environment: "Environment", lock: str) -> None:
    """Bring an environment to what `lock` says."""
    if lock != KIT_LOCK:
        who = "authors" if lock == DEV_LOCK else "only some labs"
        say(f"installing the packages of {lock}, which {who} need, into .venv (once)")
        environment.bring(lock)
        return
    say(f"first use: installing the packages of {lock} into .venv (half a minute, 1.6 GB)")
    environment.make()
    environment.bring(lock)
    if (environment.root / f"{PREPARE_SPARK.replace('.', '/')}.py").exists():  # not yet while an image is built
        with environment.compiling():
            environment.prepare_spark()


class Environment:
    """The folder .venv of a kit, and the log of what is done there."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder, self.log = root, root / ".venv", root / ".venv" / "install.log"
        self.pip_wheel = pip_wheel()
        self.python, self.uv = self.folder / "bin" / "python", self.folder / "bin" / "uv"

    def make(self) -> None:
        """Make the environment anew, with the kit in it; pip comes with the packages."""
        if not importlib.util.find_spec("venv") or not (self.pip_wheel or importlib.util.find_spec("ensurepip")):
            hint = "on Debian and Ubuntu: sudo apt-get install python3-venv"
            raise InstallFailed(f"Python's venv module is not complete; {hint}")
        shutil.rmtree(self.folder, ignore_errors=True)
        python = getattr(sys, "_base_executable", sys.executable)  # the one that runs may lie in what was deleted
        if subprocess.run([python, "-m", "venv", "--without-pip", self.folder], stdout=sys.stderr).returncode != 0:
            raise InstallFailed(f"could not make {self.folder}")
        packages = next(self.folder.glob("lib/python3*/site-packages"))
        (packages / "streamlab-kit.pth").write_text(f"{self.root}\n", encoding="utf-8")

    def bring(self, lock: str) -> None:
        """Install the packages of a lock, and pip for learners who want another one; raises InstallFailed."""
        if not self._with_uv(lock) and not self._ran(*self._pip("install"), *HASHED, "-r", lock):
            print("\n".join(self._said()[-5:]), file=sys.stderr)
            raise InstallFailed(f"the packages could not be installed; the whole log is {self.log}")
        if self.pip_wheel and not self._has_pip():
            by_uv: list[str | Path] = [self.uv, "pip", "install", "--python", self.python]
            install = by_uv if self.uv.exists() else self._pip("install")
            self._ran(*install, "--no-index", "--no-deps", self.pip_wheel)

    def _with_uv(self, lock: str) -> bool:
        """Whether uv, brought by pip where it is not there yet, installed a lock; the log says why it did not."""
        if not (self.root / UV_LOCK).exists():
            return False
        only_wheels = (*HASHED, "--only-binary=:all:", "-r", UV_LOCK)
        if not self.uv.exists() and not self._ran(*self._pip("install"), *only_wheels):
            self._fall_back("uv could not be had")
            return False
        settings, flags = as_uv_has_it(self.pip_settings())
        install: list[str | Path] = [self.uv, "pip", "install", "--python", self.python, *flags, *HASHED, *STORED]
        builds = ("--build-constraints", KIT_LOCK, "--require-build-hashes")  # setuptools is in the lock
        if self._ran(*install, *builds, "-r", lock, TMPDIR=str(self.folder), **settings):  # uv leaves locks there
            return True
        self._fall_back("uv could not install the packages")
        return False

    def _fall_back(self, why: str) -> None:
        text = f"{why}; pip does it, which takes a minute longer"
        say(text)
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"lab: {text}\n")

    def _pip(self, *arguments: str) -> list[str | Path]:
        """A call of pip, which runs from its wheel as long as it is not installed."""
        if not self.pip_wheel and not self._has_pip():
            self._ran(self.python, "-m", "ensurepip")
        program: list[str | Path] = (
            [self.pip_wheel / "pip"] if self.pip_wheel and not self._has_pip() else ["-m", "pip"]
        )
        return [self.python, *program, "--disable-pip-version-check", *arguments]

    def _has_pip(self) -> bool:
        return any(self.folder.glob("lib/python3*/site-packages/pip"))

    def pip_settings(self) -> dict[str, str]:
        """What pip's files and variables say for `install`: the more particular wins."""
        listed = subprocess.run(self._pip("config", "list"), cwd=self.root, capture_output=True, text=True).stdout
        found = [line.partition("=") for line in listed.splitlines()]
        named = {name: str(ast.literal_eval(value)) for name, _, value in found if value}
        scopes = ("global.", "install.", ":env:.")
        return {name.removeprefix(scope): named[name] for scope in scopes for name in named if name.startswith(scope)}

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Compile to bytecode beside other work: uv did not, and a sandbox may not write here."""
        command: list[str | Path] = [self.python, "-m", "compileall", "-qq", "-j", "2", self.folder / "lib"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.nice(5)) as compiler:
            try:
                yield
                compiler.wait()
            finally:
                compiler.terminate()

    def prepare_spark(self) -> None:
        """Only speed is lost where this fails; `./lab doctor` says again what is wrong."""
        say("preparing Spark so that it starts fast (under a minute, once)")
        if not self._ran(self.python, "-m", PREPARE_SPARK):
            say(f"Spark could not be prepared and will start slower: {self._said()[-1]}")

    def _ran(self, *command: str | Path, **settings: str) -> bool:
        """Run a program of the environment; whether it went well. What it says goes to the log."""
        with self.log.open("a", encoding="utf-8") as log:
            try:
                done = subprocess.run(command, cwd=self.root, env=os.environ | settings, stdout=log, stderr=log)
            except OSError as problem:
                log.write(f"{problem}\n")
                return False
        return done.returncode == 0

    def _said(self) -> list[str]:
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines() or [""]


def as_uv_has_it(of_pip: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Variables and options that make uv use the registry, the links and the certificates that pip would use."""
    found = {UV_NAMES[name]: _listed(name, of_pip[name]) for name in UV_NAMES if of_pip.get(name)}
    if "://" not in found.get("ALL_PROXY", "://"):
        found["ALL_PROXY"] = f"http://{found['ALL_PROXY']}"
    if "SSL_CERT_FILE" not in found:
        found.update(_certificates())
    own = {name: value for name, value in os.environ.items() if name in UV_NAMES.values() and name.startswith("UV_")}
    flags = [flag for name, flag in FLAGS.items() if of_pip.get(name, "").lower() not in NO]
    return {**ALWAYS, **found, **own}, flags


def _listed(name: str, value: str) -> str:
    return LISTS[name].join(value.split()) if name in LISTS else value


def _certificates() -> dict[str, str]:
    """Those that Python's own libraries trust; uv would trust those that it brings."""
    if bundle := os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE"):
        return {"SSL_CERT_FILE": bundle}
    known = ssl.get_default_verify_paths()
    said = {"SSL_CERT_FILE", "UV_SYSTEM_CERTS"} & os.environ.keys()
    return {"UV_SYSTEM_CERTS": "1"} if not said and (known.cafile or known.capath) else {}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))  # ends what runs, too
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
