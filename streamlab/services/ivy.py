"""Fetch jars with Apache Ivy, which comes in pyspark's own jars; say why where that fails.

The repository is Maven Central, or the one that `DEFAULT_ARTIFACT_REPOSITORY` names, which Spark reads, too. Java does
not know the environment's proxies, so they are passed on. Keeps out: where jars are kept, what they must be (jars.py).
"""

import os
import re
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import quoteattr

from streamlab.services.process import ServiceError
from streamlab.spark.java import COMPANY_CERTIFICATES, find_java
from streamlab.spark.prepared import pyspark_jars

REPOSITORY = "DEFAULT_ARTIFACT_REPOSITORY"
CENTRAL = "https://repo1.maven.org/maven2/"
LIMIT_S, TELL_EVERY_S = 900.0, 1.0
SMALL = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
ARGUMENTS = (
    *("-verbose", "-settings", "ivysettings.xml", "-ivy", "ivy.xml", "-cache", "ivy"),
    *("-types", "jar", "bundle", "-retrieve", "jars/[artifact]-[revision](-[classifier]).[ext]"),
)
SETTINGS = """\
<ivysettings>
  <settings defaultResolver="repository"/>
  <resolvers>
    <ibiblio name="repository" m2compatible="true" useMavenMetadata="false" root={root}/>
  </resolvers>
</ivysettings>
"""
WANTED = """\
<ivy-module version="2.0">
  <info organisation="streamlab" module="jars"/>
  <configurations><conf name="default"/></configurations>
  <dependencies>
{dependencies}
  </dependencies>
</ivy-module>
"""
TRUST_STORE = "javax.net.ssl.trustStore"
CAUSES = (  # (what Ivy's log has, what to call it, what to say), the surest first
    ("No space left on device", "disk", "the disk of {folder} is full; make room there ({size})"),
    (
        "PKIX|SSLHandshakeException|certificate_unknown|certification path",
        "certificate",
        "Java does not trust the certificate of {repository}; if your network has an authority of its own, name "
        f"a store that holds it: JAVA_TOOL_OPTIONS=-D{TRUST_STORE}=FILE",
    ),
    (
        "proxy requires authentication|Unable to tunnel through proxy",
        "proxy",
        "the proxy refuses Java; fetch once on a network without it, or have it let Java pass to {repository}",
    ),
    (
        "invalid sha1|invalid md5",
        "checksum",
        "{repository} gave a file that does not match its own checksum; try again, or name another mirror",
    ),
    (
        "UnknownHost|Connection refused|ConnectException|NoRouteToHost|unreachable|timed out|SocketException",
        "network",
        f"{{repository}} cannot be reached; look at the network and HTTPS_PROXY, or name a mirror in {REPOSITORY}",
    ),
    (
        "CLIENT ERROR: (Forbidden|Unauthorized|Too Many)|SERVER ERROR",
        "refused",
        f"{{repository}} refuses or has trouble of its own; try again later, or name a mirror in {REPOSITORY}",
    ),
    (
        "module not found|UNRESOLVED DEPENDENCIES|NOT FOUND",
        "module",
        f"{{repository}} does not hold {{missing}}; name a mirror of all of Maven Central in {REPOSITORY}, or none",
    ),
)


class FetchFailed(ServiceError):
    """Jars could not be fetched; `cause` is one of `CAUSES`, or other."""

    def __init__(self, cause: str, said: str) -> None:
        super().__init__(said)
        self.cause = cause


@dataclass(frozen=True)
class Module:
    """A module of a Maven repository; without `with_its_own`, what it needs itself is left out."""

    organisation: str
    name: str
    revision: str
    with_its_own: bool = True

    def dependency(self) -> str:
        """It as a line of ivy.xml."""
        named = f"org={quoteattr(self.organisation)} name={quoteattr(self.name)} rev={quoteattr(self.revision)}"
        transitive = "" if self.with_its_own else ' transitive="false"'
        return f'    <dependency {named} conf="default->default"{transitive}/>'


def retrieve(modules: Sequence[Module], folder: Path, on_look: Callable[[int, list[Path]], None], size: str) -> Path:
    """Fetch `modules` and what they need; returns the folder below `folder` with the jars, named as in a repository.

    `on_look` is told once a second how many descriptions of modules and which jars are there.
    Raises `FetchFailed`, `JavaNotFound`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ivysettings.xml").write_text(SETTINGS.format(root=quoteattr(repository())), encoding="utf-8")
    dependencies = "\n".join(module.dependency() for module in modules)
    (folder / "ivy.xml").write_text(WANTED.format(dependencies=dependencies), encoding="utf-8")
    code = _run(folder, on_look)
    if code != 0:
        raise _why((folder / "ivy.log").read_text("utf-8", "replace"), folder, size)
    return folder / "jars"


def repository() -> str:
    """The address of the repository, ending with a slash."""
    return (os.environ.get(REPOSITORY) or CENTRAL).rstrip("/") + "/"


def options_for_java() -> list[str]:
    """What Java is told of this network: proxies, where certificates are, and not to wait for ever.

    Example: with HTTPS_PROXY=http://proxy:3128 it holds -Dhttps.proxyHost=proxy and -Dhttps.proxyPort=3128
    """
    found = ["-Dsun.net.client.defaultConnectTimeout=15000", "-Dsun.net.client.defaultReadTimeout=60000"]
    proxies = urllib.request.getproxies()
    for scheme in ("http", "https"):
        proxy = urlsplit(proxies.get(scheme, ""))
        if proxy.hostname:
            found += [f"-D{scheme}.proxyHost={proxy.hostname}", f"-D{scheme}.proxyPort={proxy.port or 3128}"]
    found += [f"-Dhttp.nonProxyHosts={each}" for each in _not_by_proxy(proxies.get("no", ""))]
    if COMPANY_CERTIFICATES.exists() and TRUST_STORE not in os.environ.get("JAVA_TOOL_OPTIONS", ""):
        found.append(f"-D{TRUST_STORE}={COMPANY_CERTIFICATES}")
    return found


def _not_by_proxy(hosts: str) -> Iterator[str]:
    """`a.org,.b.org` as Java writes it: `a.org|*.b.org`."""
    names = [name.strip() for name in hosts.split(",") if name.strip()]
    if names:
        yield "|".join(f"*{name}" if name.startswith(".") else name for name in names)


def _run(folder: Path, on_look: Callable[[int, list[Path]], None]) -> int:
    """Run Ivy to its end or `LIMIT_S`; its exit code."""
    command = [find_java().program, *options_for_java(), *SMALL, f"-Divy.default.ivy.user.dir={folder}"]
    command += ["-cp", _ivy_itself(), "org.apache.ivy.Main", *ARGUMENTS]
    deadline_s = time.monotonic() + LIMIT_S
    with open(folder / "ivy.log", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        while time.monotonic() < deadline_s:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(TELL_EVERY_S)
            on_look(len(list((folder / "ivy").rglob("ivy-*.xml"))), list((folder / "ivy").rglob("*.jar")))
        return -1
    finally:
        process.kill()
        process.wait()


def _ivy_itself() -> str:
    needed = [str(jar) for jar in pyspark_jars() if re.match(r"(ivy|commons-cli)-\d", jar.name)]
    return ":".join(needed)


def _why(log: str, folder: Path, size: str) -> FetchFailed:
    """The first known cause in what Ivy wrote, else its last line."""
    missing = re.search(r"(\S+)#(\S+);(\S+?): not found", log)
    named = "{1} {2} of {0}".format(*missing.groups()) if missing else "a module"
    for pattern, cause, said in CAUSES:
        if re.search(pattern, log):
            text = said.format(folder=folder.parent, repository=repository(), missing=named, size=size)
            return FetchFailed(cause, f"the jars could not be fetched: {text}")
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "nothing")
    return FetchFailed("other", f"the jars could not be fetched from {repository()}; Ivy's last word: {last}")
