"""deploy/debian.sh on machines made up from a folder of stand-in commands."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "deploy" / "debian.sh"
WORKS, FAILS, ROOT, NOBODY = "exit 0", "exit 1", "echo 0", "echo 65534"


class Machine:
    """A machine that has the commands in one folder and no others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "apt-get.log"

    def has(self, command: str, body: str) -> None:
        file = self.folder / command
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    def apt_get_brings(self, command: str) -> None:
        """Give it an apt-get that writes down what it is asked for and brings one command."""
        brought = self.folder / command
        bring = f'echo "#!/bin/sh" >"{brought}" && /bin/chmod +x "{brought}"'
        self.has("apt-get", f'echo "$@" >>"{self.log}"\n[ "$1" = update ] || {{ {bring}; }}')

    def check(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", SCRIPT, *words],
            env={"PATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    complete = Machine(tmp_path)
    complete.has("id", NOBODY)
    complete.has("python3", WORKS)
    complete.has("cc", WORKS)
    complete.has("pdftotext", WORKS)
    complete.has("chromium", WORKS)
    return complete


@pytest.mark.parametrize("purpose", ["run", "test"])
def test_it_is_silent_when_nothing_is_missing(machine: Machine, purpose: str) -> None:
    done = machine.check(purpose)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_anybody_gets_one_line_with_everything_missing(machine: Machine) -> None:
    machine.has("python3", FAILS)
    (machine.folder / "cc").unlink()
    machine.apt_get_brings("cc")
    done = machine.check("test")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "apt-get install python3-venv gcc\n"
    assert not machine.log.exists()


def test_running_needs_no_compiler(machine: Machine) -> None:
    (machine.folder / "cc").unlink()
    assert machine.check("run").returncode == 0


def test_a_machine_without_python_is_told_so(machine: Machine) -> None:
    (machine.folder / "python3").unlink()
    assert machine.check("run").stderr == "apt-get install python3 python3-venv\n"


def test_root_gets_it_installed_after_an_update(machine: Machine) -> None:
    machine.has("id", ROOT)
    (machine.folder / "cc").unlink()
    machine.apt_get_brings("cc")
    done = machine.check("test")
    assert (done.returncode, done.stderr) == (0, "")
    update, install = machine.log.read_text().splitlines()
    assert update.split()[0] == "update"
    assert install.endswith(" gcc")


def test_root_learns_when_installing_did_not_help(machine: Machine) -> None:
    machine.has("id", ROOT)
    machine.has("python3", FAILS)
    machine.apt_get_brings("cc")
    done = machine.check("run")
    assert done.returncode == 1
    assert "still not usable: python3-venv" in done.stderr


def test_an_unknown_purpose_is_refused(machine: Machine) -> None:
    assert machine.check("fly").returncode == 2
