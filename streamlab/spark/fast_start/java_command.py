"""The command of Java for Spark without spark-submit: its launcher's options, and options for a fast start."""

from collections.abc import Sequence
from pathlib import Path

from streamlab.java.finder import Java, find_java
from streamlab.spark.fast_start.class_archive import ARCHIVE, class_path, prepared_folder

GATEWAY = "org.apache.spark.api.python.PythonGatewayServer"
LOG_SETTINGS = Path(__file__).resolve().parents[1] / "conf" / "log4j2.properties"

# The packages that Spark's launcher (org.apache.spark.launcher.JavaModuleOptions) opens; it also asks for the
# incubating vector module, which only MLlib uses.
OPENED = (
    *("java.base/java.lang", "java.base/java.lang.invoke", "java.base/java.lang.reflect", "java.base/java.io"),
    *("java.base/java.net", "java.base/java.nio", "java.base/java.util", "java.base/java.util.concurrent"),
    *("java.base/java.util.concurrent.atomic", "java.base/jdk.internal.ref", "java.base/sun.nio.ch"),
    *("java.base/sun.nio.cs", "java.base/sun.security.action", "java.base/sun.util.calendar"),
    "java.security.jgss/sun.security.krb5",
)
COLLECTOR = ("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseSerialGC")
ALWAYS = (
    *COLLECTOR,
    "-XX:-UsePerfData",
    *(f"--add-opens={each}=ALL-UNNAMED" for each in OPENED),
    "-Djdk.reflect.useDirectMethodHandle=false",
    "-Dio.netty.tryReflectionSetAccessible=true",
    f"-Dlog4j2.configurationFile={LOG_SETTINGS.as_uri()}",
)
TUNINGS = {
    "short": ("-Xms384m", "-Xmn200m", "-Xmx512m", "-XX:TieredStopAtLevel=1"),
    "throughput": ("-Xms512m", "-Xmx1g"),
}


def driver_command(
    java: Java, tuning: str, prepared: Path | None, connector: Sequence[str], options: Sequence[str]
) -> list[str]:
    """Return the command that starts Spark's Java for a session, with more `options`.

    `connector` goes to the end of the class path, since an archive is valid only for a class path that begins like the
    one it was made with.
    """
    jars = ":".join([class_path(prepared), *connector])
    return [java.program, "-cp", jars, *TUNINGS[tuning], *ALWAYS, *archive_option(prepared), *options, GATEWAY]


def archive_option(prepared: Path | None) -> list[str]:
    """Return the option that names the archive, if it exists."""
    return [f"-XX:SharedArchiveFile={prepared / ARCHIVE}"] if prepared and (prepared / ARCHIVE).exists() else []


def executor_settings(tuning: str) -> dict[str, str]:
    """Return the settings by which executors with this same kit start fast, too; {} if no archive exists."""
    prepared = prepared_folder(find_java())
    if prepared is None:
        return {}
    options = [*without_sizes(tuning), *ALWAYS, *archive_option(prepared)]
    return {
        "spark.executor.extraClassPath": class_path(prepared),
        "spark.executor.extraJavaOptions": " ".join(options),
    }


def without_sizes(tuning: str) -> list[str]:
    """Return the options of a tuning for a Java whose memory Spark sets."""
    return [option for option in TUNINGS[tuning] if not option.startswith("-Xm")]
