package streamlab;

import java.io.IOException;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * This machine's files for Spark, without a process per file: Hadoop starts /usr/bin/chmod for each file it
 * creates where its native library is missing. Files get the permissions of the process's umask instead.
 * streamlab.spark.fast_start.class_archive compiles this with Janino, the compiler that Spark brings.
 */
public class QuietFiles extends LocalFileSystem {
    public QuietFiles() {
        super(new WithoutChmod());
        setWriteChecksum(false);
        setVerifyChecksum(false);
    }

    public static class WithoutChmod extends RawLocalFileSystem {
        public void setPermission(Path path, FsPermission permission) throws IOException {
        }
    }
}
