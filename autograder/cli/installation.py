"""Installs a lock into .venv with uv, or with pip if uv is not available. `lab` runs it while .venv may be missing.

`python -I installation.py ROOT LOCK STAMP_FILE STAMP` runs with the Python that `lab` found, so it imports only the
standard library. requirements.lock gets a new environment, and .venv.old keeps the old one until the new one is
complete; other locks are added to the environment. At the end it writes STAMP to .venv/STAMP_FILE.
"""

import ast
import errno
import fcntl
import importlib.util
import os
import shutil
import signal
import ssl
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from typing import TextIO

KIT_LOCK, DEV_LOCK, UV_LOCK = "requirements.lock", "requirements-dev.lock", "requirements-uv.lock"
KIT_STAMP = "streamlab-stamp"  # an environment without it is not complete
PREPARE_SPARK = "streamlab.spark.fast_start.class_archive"
HASHED = ("--require-hashes", "--no-deps")
# Spark comes as source, 430 MB of jars: compressing them into a wheel takes longer than the rest and saves nothing.
STORED = ("--config-settings-package", "pyspark:--build-option=--compression=stored")

# pip's settings and the variables of uv for them; uv does not read pip's files and variables.
UV_NAMES = {
    **{"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS"},
    **{"trusted-host": "UV_INSECURE_HOST", "cert": "SSL_CERT_FILE", "client-cert": "SSL_CLIENT_CERT"},
    **{"proxy": "ALL_PROXY", "default-timeout": "UV_HTTP_TIMEOUT", "timeout": "UV_HTTP_TIMEOUT"},
}
LISTS = {"extra-index-url": " ", "find-links": ",", "trusted-host": " "}
ALWAYS = {"UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never", "UV_INDEX_STRATEGY": "unsafe-best-match"}
ALWAYS |= {"RUST_LOG": "uv_fs=info"}  # uv then says when it waits for the lock of another uv
WAITS = ("Waiting to acquire", "waiting for another process,")  # uv's words and the kit's
FLAGS, NO = {"no-index": "--no-index", "no-cache-dir": "--no-cache"}, ("", "0", "n", "no", "f", "false", "off")
# The settings of pip that count: where packages come from. Others (user, target, …) would put them elsewhere.
COUNTS = (*UV_NAMES, *FLAGS, "cache-dir", "keyring-provider", "retries")
SPACE, OWNER = "free 2 GB of disk space", "change its owner to yourself (`sudo ./lab` makes it root's)"
NEXT_STEPS = {errno.ENOSPC: SPACE, errno.EDQUOT: SPACE, errno.EACCES: OWNER, errno.EPERM: OWNER}


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
    try:
        with open(root / ".venv.lock", "w", encoding="utf-8") as lock_file:  # released at the end, also after a crash
            acquire(lock_file)
            install_once(Environment(root), lock, stamp_file, stamp.strip())
        return 0
    except InstallFailed as problem:
        say(str(problem))
    except OSError as problem:
        say(in_one_line(problem))
    except KeyboardInterrupt:
        say("stopped before the installation was complete; run the command again to continue")
        return 130
    return 2


def in_one_line(problem: OSError) -> str:
    """Return the path, the reason and the next step of a system error."""
    path = problem.filename2 or problem.filename or ".venv"
    return f"{path}: {problem.strerror}; {NEXT_STEPS.get(problem.errno or 0, 'delete it')}, then run the command again"


def say(text: str) -> None:
    """Print a message for the user on stderr, since stdout belongs to the verb."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


def acquire(lock: TextIO) -> None:
    """Acquire this kit's lock; say so if another process holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("another lab is installing here; waiting for it")
        fcntl.flock(lock, fcntl.LOCK_EX)


def install_once(environment: "Environment", lock: str, stamp_file: str, stamp: str) -> None:
    """Install the packages of `lock` and write its stamp, unless the stamp is right."""
    environment.settle()
    if environment.stamp(stamp_file) == stamp:
        return
    try:
        create(environment) if lock == KIT_LOCK else extend(environment, lock, stamp_file)
        (environment.folder / stamp_file).write_text(f"{stamp}\n", encoding="utf-8")
    finally:
        environment.settle()


def create(environment: "Environment") -> None:
    """Create a new environment with the packages that every lab needs, and prepare Spark."""
    say(f"first use: installing the packages of {KIT_LOCK} into .venv (half a minute, 1.6 GB)")
    environment.create()
    environment.add(KIT_LOCK)
    environment.compile(with_spark=True)


def extend(environment: "Environment", lock: str, stamp_file: str) -> None:
    """Add the packages of `lock`. A marker shows an interruption, which can leave a package that looks installed."""
    marker = environment.folder / f"{stamp_file}.unfinished"
    who = "authors" if lock == DEV_LOCK else "only some labs"
    say(f"installing the packages of {lock}, which {who} need, into .venv (once)")
    (environment.folder / stamp_file).unlink(missing_ok=True)
    is_repair = marker.exists()
    marker.touch()
    environment.add(lock, is_repair)
    environment.compile()
    marker.unlink()


class Environment:
    """The folder .venv of a kit, with a log of the commands that change it."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder, self.old = root, root / ".venv", root / ".venv.old"
        self.log, self.pip_wheel = self.folder / "install.log", pip_wheel()
        self.python, self.uv = self.folder / "bin" / "python", self.folder / "bin" / "uv"

    def stamp(self, stamp_file: str) -> str:
        """Return the text of a stamp; "" if it is missing."""
        path = self.folder / stamp_file
        return path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""

    def settle(self) -> None:
        """Delete the old environment if the new one is complete, else put it back; a run that was killed left both."""
        if self.old.exists() and self.stamp(KIT_STAMP):
            shutil.rmtree(self.old, ignore_errors=True)
        elif self.old.exists():
            with suppress(OSError):
                self.log.replace(self.old / self.log.name)
            shutil.rmtree(self.folder, ignore_errors=True)
            self.old.rename(self.folder)

    def create(self) -> None:
        """Create a new environment with the kit on its path; a complete old one moves. Pip comes with the packages."""
        if not importlib.util.find_spec("venv") or not (self.pip_wheel or importlib.util.find_spec("ensurepip")):
            raise InstallFailed("Python's venv module is not complete; on Debian: sudo apt-get install python3-venv")
        if self.stamp(KIT_STAMP) and not self.folder.is_symlink():  # a link leads to where the user has space
            self.folder.rename(self.old)
        python = getattr(sys, "_base_executable", sys.executable)  # sys.executable may be in the old folder
        command = [python, "-I", "-m", "venv", "--clear", "--without-pip", self.folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise InstallFailed(f"could not create {self.folder}: {done.stdout.strip().rpartition(chr(10))[2]}")
        packages = next(self.folder.glob("lib/python3*/site-packages"))
        (packages / "streamlab-kit.pth").write_text(f"{self.root}\n", encoding="utf-8")

    def add(self, lock: str, is_repair: bool = False) -> None:
        """Install the packages of a lock, and pip for learners who want more packages; raises InstallFailed."""
        if not self._with_uv(lock, is_repair) and not self._with_pip(lock, is_repair):
            print("\n".join(self._log_lines()[-5:]), file=sys.stderr)
            raise InstallFailed(f"the packages could not be installed; the whole log is {self.log}")
        if self.pip_wheel and not self._has_pip():
            with_uv = [self.uv, "pip", "install", "--python", self.python] if self.uv.exists() else []
            local = ("--no-index", "--no-deps", self.pip_wheel)
            self._run(*(with_uv or self._pip("install")), *local, **self._settings_for_pip())

    def _with_pip(self, lock: str, is_repair: bool) -> bool:
        """Install a lock with pip and return success; a uv that failed may have left half a package."""
        again = ["--force-reinstall"] if is_repair or self.uv.exists() else []
        for metadata in self.folder.glob("lib/python3*/site-packages/*.dist-info"):
            if again and not (metadata / "RECORD").exists():  # pip cannot uninstall it
                shutil.rmtree(metadata)
        return self._run(*self._pip("install"), *HASHED, *again, "-r", lock, **self._settings_for_pip())

    def _with_uv(self, lock: str, is_repair: bool) -> bool:
        """Install a lock with uv, which pip installs first if needed; return success. The log has the error."""
        if not (self.root / UV_LOCK).exists():
            return False
        only_wheels = (*HASHED, "--only-binary=:all:", "-r", UV_LOCK)
        if not self.uv.exists() and not self._run(*self._pip("install"), *only_wheels, **self._settings_for_pip()):
            self._report_fallback("uv is not available")
            return False
        settings, flags = uv_settings(self.pip_settings())
        install: list[str | Path] = [self.uv, "pip", "install", "--python", self.python, *flags, *HASHED, *STORED]
        more = ["--build-constraints", KIT_LOCK, "--require-build-hashes", *(["--reinstall"] if is_repair else [])]
        if self._run(*install, *more, "-r", lock, TMPDIR=str(self.folder), **settings):  # uv leaves locks there
            return True
        self._report_fallback("uv could not install the packages")
        return False

    def _report_fallback(self, why: str) -> None:
        text = f"{why}; installing with pip, which takes a minute longer"
        say(text)
        self._write_log(f"lab: {text}\n")

    def _pip(self, *arguments: str) -> list[str | Path]:
        """Return the command line of a pip call; pip runs from its wheel until it is installed."""
        if not self.pip_wheel and not self._has_pip():
            self._run(self.python, "-P", "-m", "ensurepip")
        program = [f"{self.pip_wheel}/pip"] if self.pip_wheel and not self._has_pip() else ["-P", "-m", "pip"]
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

    def _settings_for_pip(self) -> dict[str, str]:
        """Return variables with which pip ignores its files, and all settings that do not count (an empty one is)."""
        ignored = {name: "" for name in os.environ if name.startswith("PIP_")}
        counts = {name: value for name, value in self.pip_settings().items() if name in COUNTS}
        own = {f"PIP_{name.upper().replace('-', '_')}": value for name, value in counts.items()}
        return {**ignored, **own, "PIP_CONFIG_FILE": os.devnull}

    def compile(self, with_spark: bool = False) -> None:
        """Compile to bytecode, since uv does not and a sandbox cannot write here; prepare Spark at the same time."""
        if not (self.root / f"{PREPARE_SPARK.replace('.', '/')}.py").exists():
            return  # the build of an image copies the kit later, and compiles everything then
        command: list[str | Path] = [self.python, "-P", "-m", "compileall", "-qq", "-j", "2", self.folder / "lib"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, preexec_fn=lambda: os.nice(5)) as compiler:
            try:
                if with_spark:
                    say("preparing Spark so that it starts fast (under a minute, once)")
                    if not self._run(self.python, "-m", PREPARE_SPARK):  # `./lab doctor` reports it again
                        say(f"Spark could not be prepared and will start slower: {self._log_lines()[-1]}")
                compiler.wait()
            finally:
                compiler.terminate()

    def _run(self, *command: str | Path, **settings: str) -> bool:
        """Run a program of the environment and return whether it succeeded; its output goes to the log."""
        pipe, both, own = subprocess.PIPE, subprocess.STDOUT, os.environ | settings
        try:
            process = subprocess.Popen(command, cwd=self.root, env=own, stdout=pipe, stderr=both, errors="replace")
        except OSError as problem:
            self._write_log(f"{problem}\n")
            return False
        with process:
            try:
                for line in process.stdout or ():
                    self._write_log(line)
                    if any(each in line for each in WAITS):
                        say("another process on this machine is installing or preparing the same; waiting for it")
            except BaseException:
                process.kill()
                raise
        return process.returncode == 0

    def _write_log(self, text: str) -> None:
        """Add to the log; one that cannot be written must not end the work."""
        with suppress(OSError), self.log.open("a", encoding="utf-8") as log:
            log.write(text)

    def _log_lines(self) -> list[str]:
        text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.is_file() else ""
        return text.splitlines() or [""]


def uv_settings(pip_settings: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return variables and options that make uv use pip's registry, links and certificates; variables of uv win."""
    converted = {
        of_uv: LISTS[name].join(value.split()) if name in LISTS else value
        for name, of_uv in UV_NAMES.items()
        if (value := pip_settings.get(name))
    }
    if "://" not in converted.get("ALL_PROXY", "://"):
        converted["ALL_PROXY"] = f"http://{converted['ALL_PROXY']}"
    converted |= {} if "SSL_CERT_FILE" in converted else _certificates()
    own = {name: value for name, value in os.environ.items() if name in UV_NAMES.values() and name.startswith("UV_")}
    flags = [flag for name, flag in FLAGS.items() if pip_settings.get(name, "").lower() not in NO]
    return {**ALWAYS, **converted, **own}, flags


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
