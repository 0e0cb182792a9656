"""Installs a lock into .venv with uv, or with pip if uv is not available. `lab` runs it while .venv may be missing.

`python -I installation.py ROOT LOCK STAMP_FILE STAMP` runs with the Python that `lab` found, so it imports only the
standard library. For requirements.lock it creates a new environment and prepares Spark; other locks are added to the
environment. At the end it writes STAMP to .venv/STAMP_FILE.
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
# Spark comes as source, 430 MB of jars: compressing them into a wheel takes longer than the rest and saves nothing.
STORED = ("--config-settings-package", "pyspark:--build-option=--compression=stored")

# pip's settings and the variables of uv for them; uv does not read pip's files and variables.
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
    """Return the wheel of pip that comes with Python, in ensurepip or in the distribution's folder of such wheels."""
    ensurepip = importlib.util.find_spec("ensurepip")
    bundled = Path(ensurepip.origin).parent / "_bundled" if ensurepip and ensurepip.origin else None
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), bundled]
    return next((wheel for folder in folders if folder for wheel in Path(folder).glob("pip-*.whl")), None)


class InstallFailed(Exception):
    """The packages could not be installed; the message is for the user, in one line."""


def main(root: Path, lock: str, stamp_file: str, stamp: str) -> int:
    """Install `lock` unless another process has done it meanwhile; return the exit code."""
    stamp_path = root / ".venv" / stamp_file
    try:
        with installation_lock(root):
            if not stamp_path.exists() or stamp_path.read_text(encoding="utf-8").strip() != stamp.strip():
                install(Environment(root), lock)
                stamp_path.write_text(f"{stamp.strip()}\n", encoding="utf-8")
    except InstallFailed as problem:
        say(str(problem))
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def say(text: str) -> None:
    """Print a message for the user on stderr, since stdout belongs to the verb."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


@contextmanager
def installation_lock(root: Path) -> Iterator[None]:
    """Hold this kit's lock; the system releases it when the process ends, also after a crash."""
    with open(root / ".venv.lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another lab is installing here; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(environment: "Environment", lock: str) -> None:
    """Install the packages of `lock`; for requirements.lock, create a new environment first."""
    if lock != KIT_LOCK:
        who = "authors" if lock == DEV_LOCK else "only some labs"
        say(f"installing the packages of {lock}, which {who} need, into .venv (once)")
        environment.add(lock)
        return
    say(f"first use: installing the packages of {lock} into .venv (half a minute, 1.6 GB)")
    environment.create()
    environment.add(lock)
    if (environment.root / f"{PREPARE_SPARK.replace('.', '/')}.py").exists():  # an image build copies it later
        with environment.compiling():
            environment.prepare_spark()


class Environment:
    """The folder .venv of a kit, with a log of the commands that change it."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder, self.log = root, root / ".venv", root / ".venv" / "install.log"
        self.pip_wheel = pip_wheel()
        self.python, self.uv = self.folder / "bin" / "python", self.folder / "bin" / "uv"

    def create(self) -> None:
        """Create a new environment with the kit on its path, in place of an old one; pip comes with the packages."""
        if not importlib.util.find_spec("venv") or not (self.pip_wheel or importlib.util.find_spec("ensurepip")):
            hint = "on Debian and Ubuntu: sudo apt-get install python3-venv"
            raise InstallFailed(f"Python's venv module is not complete; {hint}")
        shutil.rmtree(self.folder, ignore_errors=True)
        python = getattr(sys, "_base_executable", sys.executable)  # sys.executable may be in the deleted folder
        if subprocess.run([python, "-m", "venv", "--without-pip", self.folder], stdout=sys.stderr).returncode != 0:
            raise InstallFailed(f"could not create {self.folder}")
        packages = next(self.folder.glob("lib/python3*/site-packages"))
        (packages / "streamlab-kit.pth").write_text(f"{self.root}\n", encoding="utf-8")

    def add(self, lock: str) -> None:
        """Install the packages of a lock, and pip for learners who want more packages; raises InstallFailed."""
        if not self._with_uv(lock) and not self._run(*self._pip("install"), *HASHED, "-r", lock):
            print("\n".join(self._log_lines()[-5:]), file=sys.stderr)
            raise InstallFailed(f"the packages could not be installed; the whole log is {self.log}")
        if self.pip_wheel and not self._has_pip():
            with_uv: list[str | Path] = [self.uv, "pip", "install", "--python", self.python]
            install = with_uv if self.uv.exists() else self._pip("install")
            self._run(*install, "--no-index", "--no-deps", self.pip_wheel)

    def _with_uv(self, lock: str) -> bool:
        """Install a lock with uv, which pip installs first if needed; return success. The log has the error."""
        if not (self.root / UV_LOCK).exists():
            return False
        only_wheels = (*HASHED, "--only-binary=:all:", "-r", UV_LOCK)
        if not self.uv.exists() and not self._run(*self._pip("install"), *only_wheels):
            self._report_fallback("uv is not available")
            return False
        settings, flags = uv_settings(self.pip_settings())
        install: list[str | Path] = [self.uv, "pip", "install", "--python", self.python, *flags, *HASHED, *STORED]
        builds = ("--build-constraints", KIT_LOCK, "--require-build-hashes")  # setuptools is in the lock
        if self._run(*install, *builds, "-r", lock, TMPDIR=str(self.folder), **settings):  # uv leaves locks there
            return True
        self._report_fallback("uv could not install the packages")
        return False

    def _report_fallback(self, why: str) -> None:
        text = f"{why}; installing with pip, which takes a minute longer"
        say(text)
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"lab: {text}\n")

    def _pip(self, *arguments: str) -> list[str | Path]:
        """Return the command line of a pip call; pip runs from its wheel until it is installed."""
        if not self.pip_wheel and not self._has_pip():
            self._run(self.python, "-m", "ensurepip")
        program: list[str | Path] = (
            [self.pip_wheel / "pip"] if self.pip_wheel and not self._has_pip() else ["-m", "pip"]
        )
        return [self.python, *program, "--disable-pip-version-check", *arguments]

    def _has_pip(self) -> bool:
        return any(self.folder.glob("lib/python3*/site-packages/pip"))

    def pip_settings(self) -> dict[str, str]:
        """Return the settings of `pip install` from pip's files and variables; the more specific ones win."""
        output = subprocess.run(self._pip("config", "list"), cwd=self.root, capture_output=True, text=True).stdout
        lines = [line.partition("=") for line in output.splitlines()]
        scoped = {name: str(ast.literal_eval(value)) for name, _, value in lines if value}
        scopes = ("global.", "install.", ":env:.")
        return {name.removeprefix(scope): scoped[name] for scope in scopes for name in scoped if name.startswith(scope)}

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Compile to bytecode in parallel with the block: uv does not do it, and a sandbox cannot write here."""
        command: list[str | Path] = [self.python, "-m", "compileall", "-qq", "-j", "2", self.folder / "lib"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.nice(5)) as compiler:
            try:
                yield
                compiler.wait()
            finally:
                compiler.terminate()

    def prepare_spark(self) -> None:
        """Prepare Spark for a fast start; a failure costs only speed, and `./lab doctor` reports it again."""
        say("preparing Spark so that it starts fast (under a minute, once)")
        if not self._run(self.python, "-m", PREPARE_SPARK):
            say(f"Spark could not be prepared and will start slower: {self._log_lines()[-1]}")

    def _run(self, *command: str | Path, **settings: str) -> bool:
        """Run a program of the environment and return whether it succeeded; its output goes to the log."""
        with self.log.open("a", encoding="utf-8") as log:
            try:
                done = subprocess.run(command, cwd=self.root, env=os.environ | settings, stdout=log, stderr=log)
            except OSError as problem:
                log.write(f"{problem}\n")
                return False
        return done.returncode == 0

    def _log_lines(self) -> list[str]:
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines() or [""]


def uv_settings(pip_settings: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return variables and options that make uv use the same registry, links and certificates as pip.

    Variables of uv in the environment take precedence.
    """
    converted = {UV_NAMES[name]: _listed(name, pip_settings[name]) for name in UV_NAMES if pip_settings.get(name)}
    if "://" not in converted.get("ALL_PROXY", "://"):
        converted["ALL_PROXY"] = f"http://{converted['ALL_PROXY']}"
    if "SSL_CERT_FILE" not in converted:
        converted.update(_certificates())
    own = {name: value for name, value in os.environ.items() if name in UV_NAMES.values() and name.startswith("UV_")}
    flags = [flag for name, flag in FLAGS.items() if pip_settings.get(name, "").lower() not in NO]
    return {**ALWAYS, **converted, **own}, flags


def _listed(name: str, value: str) -> str:
    return LISTS[name].join(value.split()) if name in LISTS else value


def _certificates() -> dict[str, str]:
    """Return the variables for the certificates that Python's libraries trust; by default, uv trusts its own."""
    if bundle := os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE"):
        return {"SSL_CERT_FILE": bundle}
    known = ssl.get_default_verify_paths()
    set_by_user = {"SSL_CERT_FILE", "UV_SYSTEM_CERTS"} & os.environ.keys()
    return {"UV_SYSTEM_CERTS": "1"} if not set_by_user and (known.cafile or known.capath) else {}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))  # also ends child processes
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
