"""Finding the library, and refusing what is not it."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import vtemper
from vtemper import _header
from vtemper.library import SONAME, _told_by_pkg_config, _versions_fit, library


class Loading(unittest.TestCase):
    def imported(self, **environment):
        done = subprocess.run([sys.executable, "-c", "import vtemper"], check=False, stderr=subprocess.PIPE,
                              universal_newlines=True, env=dict(os.environ, **environment))
        return done.stderr.splitlines()[-1] if done.returncode else ""

    def test_what_is_no_library_is_named(self):
        message = self.imported(VTEMPER_LIBRARY="/no/such/file.so")
        self.assertTrue(message.startswith("ImportError: the library /no/such/file.so cannot be loaded"), message)
        message = self.imported(VTEMPER_LIBRARY="libc.so.6")
        self.assertEqual(message, "ImportError: libc.so.6 is not the library vtemper")

    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_pkg_config_tells_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.realpath(library.path), os.path.join(folder, SONAME))
            with open(os.path.join(folder, "vtemper.pc"), "w") as file:
                file.write("libdir=%s\nName: vtemper\nDescription: x\nVersion: 0\n" % folder)
            with unittest.mock.patch.dict(os.environ, PKG_CONFIG_PATH=folder):
                self.assertEqual(_told_by_pkg_config(), os.path.join(folder, SONAME))
            with unittest.mock.patch.dict(os.environ, PKG_CONFIG_PATH=folder, VTEMPER_LIBRARY=""):
                self.assertEqual(self.imported(), "")

    def test_versions(self):
        self.assertTrue(_versions_fit(1000, 1000))
        self.assertTrue(_versions_fit(1000, 1003))
        self.assertFalse(_versions_fit(1003, 1000))
        self.assertFalse(_versions_fit(1000, 2000))
        self.assertTrue(_versions_fit(1002000, 1003000))
        self.assertFalse(_versions_fit(1002000, 2000000))
        self.assertGreaterEqual(library.version_number(), _header.VERSION_NUMBER)

    def test_build_info_names_the_file(self):
        self.assertIn(library.path, vtemper.build_info())


if __name__ == "__main__":
    unittest.main()
