# SPDX-License-Identifier: MIT
"""A guest in QEMU: how each board is started, how its exit status is read, how it is watched.

No guest outlives the program that started it, and none runs on without a limit when one is given:
a guest that is silent or late is stopped and says why.
"""

import collections
import contextlib
import ctypes
import os
import platform
import re
import select
import signal
import subprocess
import sys
import threading
import time

PR_SET_PDEATHSIG = 1
LAST_LINES = 12
QUIET = 1.0             # seconds after which a guest that was typed to has answered

# How a guest ended when it did not end by itself, beside its own exit status.
EXIT_QEMU_FAILED = 120
EXIT_GUEST_RESET = 121
EXIT_SILENT = 122
EXIT_TIMEOUT = 124

COMMON = ["-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none", "-no-reboot",
          "-rtc", "base=2020-01-01,clock=vm"]
SEMIHOSTING = ["-semihosting-config", "enable=on,target=native"]


class Board:
    """What QEMU needs to know to be one board."""

    def __init__(self, program, machine, cpu, memory, max_cpus, options, raw, isa):
        self.program = program
        self.machine = machine
        self.cpu = cpu
        self.memory = memory
        self.max_cpus = max_cpus
        self.options = options
        self.raw = raw          # boots the .bin beside the .elf
        self.isa = isa


BOARDS = {
    # cmpxchg16b is switched off: QEMU 7.2 corrupts flags in it with several vCPU threads.
    "pc": Board("qemu-system-x86_64", "q35", "qemu64,-cx16", 256, 8,
                ["-vga", "none", "-nic", "none", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04"],
                False, "x86_64"),
    "virt": Board("qemu-system-aarch64", "virt,gic-version=2", "cortex-a57", 256, 8,
                  ["-nic", "none"] + SEMIHOSTING, True, "arm64"),
    "versatilepb": Board("qemu-system-arm", "versatilepb", "arm926", 128, 1,
                         ["-nic", "none"] + SEMIHOSTING, True, "arm"),
}


class GuestError(Exception):
    """A guest cannot be started as asked; the text says what would be right."""


def accel_options(board, accel):
    if accel == "tcg":
        return ["-accel", "tcg"]
    if accel == "tcg-icount":
        return ["-accel", "tcg", "-icount", "shift=0,sleep=off"]
    if accel != "kvm":
        raise GuestError(f"no accelerator '{accel}': tcg, tcg-icount or kvm")
    host = {"x86_64": "x86_64", "aarch64": "arm64"}.get(platform.machine())
    if host != board.isa or not os.access("/dev/kvm", os.R_OK | os.W_OK):
        raise GuestError(f"kvm: needs a usable /dev/kvm on a machine of the board's ISA ({board.isa})")
    return ["-accel", "kvm"]


def check_machine(board_name, smp, accel):
    """The board, when it has so many CPUs (a number, or what somebody typed for one) and this accelerator."""
    if board_name not in BOARDS:
        raise GuestError(f"no board '{board_name}'; there are: {', '.join(BOARDS)}")
    board = BOARDS[board_name]
    if str(smp) not in map(str, range(1, board.max_cpus + 1)):
        has = "1 CPU" if board.max_cpus == 1 else f"1 to {board.max_cpus} CPUs"
        raise GuestError(f"{board_name} has {has}, not {smp or 'none'}")
    accel_options(board, accel)
    return board


def qemu_command(board_name, image, smp=1, accel="tcg", args="", serial="stdio", extra=()):
    """The argument list that boots an image; nothing passes through a shell."""
    if board_name == "fake":            # the runner's own tests: the image is a program
        return [image] + args.split()
    board = check_machine(board_name, smp, accel)
    kernel = re.sub(r"\.elf$", ".bin", image) if board.raw else image
    if not os.path.exists(kernel):
        raise GuestError(f"no image {kernel}: make BOARD={board_name} image")
    cpu = "host" if accel == "kvm" else board.cpu
    command = [board.program, "-M", board.machine, "-cpu", cpu, "-m", str(board.memory),
               "-smp", str(smp)] + accel_options(board, accel)
    command += COMMON + board.options + ["-serial", serial, "-kernel", kernel]
    return command + (["-append", args] if args else []) + list(extra)


def guest_status(board_name, returncode, qemu_complained):
    """The guest's own exit code, or one that says why there is none."""
    if returncode < 0:
        return EXIT_QEMU_FAILED
    if board_name != "pc":
        return returncode
    # isa-debug-exit makes 2 * code + 1 of a code: 0 means a reset, and 1 may be QEMU's own failure.
    if returncode % 2 == 0:
        return EXIT_GUEST_RESET
    if returncode == 1 and qemu_complained:
        return EXIT_QEMU_FAILED
    return (returncode - 1) // 2


@contextlib.contextmanager
def foreground():
    """The terminal is a process group's of our own: Ctrl-C reaches us and the guest started here, but not make."""
    terminal, ours = sys.stdin.fileno(), os.getpgrp()
    if ours == os.getpid() or os.tcgetpgrp(terminal) != ours:
        yield
        return
    # Ctrl-Z would stop us and leave make, which waits for us, without anybody at the terminal.
    for number in (signal.SIGTTOU, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    os.setpgid(0, 0)
    os.tcsetpgrp(terminal, os.getpgrp())
    try:
        yield
    finally:
        os.tcsetpgrp(terminal, ours)


def _die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Result:
    """How a guest ended: status (0 is good), reason in words, its last lines."""

    def __init__(self, status, reason, last_lines, seconds):
        self.status = status
        self.reason = reason
        self.last_lines = last_lines
        self.seconds = seconds


class Guest:
    """One running guest. watch() reads it to its end; interact() gives it the terminal; feed() types a file."""

    def __init__(self, board_name, command, interactive=False, stderr=None):
        self.board_name = board_name
        self.complained = False
        self.heard = 0.0
        self.input_ended = False
        self.stderr_sink = stderr or (lambda text: sys.stderr.write(text))
        pipe = None if interactive else subprocess.PIPE
        env = dict(os.environ, QEMU_AUDIO_DRV="none")
        self.started = time.monotonic()
        try:
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe,
                stderr=subprocess.PIPE, env=env, preexec_fn=_die_with_parent)
        except OSError as error:
            raise GuestError(f"{command[0]}: {error.strerror} (make setup installs what is missing)")
        self.stderr_reader = threading.Thread(target=self._read_stderr, daemon=True)
        self.stderr_reader.start()

    def _read_stderr(self):
        for line in self.process.stderr:
            text = line.decode(errors="replace")
            if "warning:" in text or "audio" in text or "terminating on signal" in text:
                continue
            self.complained = True
            self.stderr_sink(text)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def status(self):
        returncode = self.process.wait()
        self.stderr_reader.join(timeout=2)
        return guest_status(self.board_name, returncode, self.complained)

    def interact(self):
        """The guest's status; that of a guest which Ctrl-C ended is 0."""
        pressed = []

        def end(*_):
            # Asked once QEMU gives the terminal back as it was.
            (self.process.kill if pressed else self.process.terminate)()
            pressed.append(True)

        signal.signal(signal.SIGINT, end)
        status = self.status()
        return 0 if pressed else status

    def feed(self, file):
        """Types what a file holds; stops the guest when it has said nothing more for a while."""
        try:
            for line in file:
                self._type(line)
        finally:
            self.heard = time.monotonic()
            while time.monotonic() < self.heard + QUIET:
                time.sleep(QUIET / 4)
            self.input_ended = self.process.poll() is None
            self.stop()

    def watch(self, line_sink, timeout=None, silence=None, until=None, reply=None):
        """Reads lines into line_sink(bytes) until the guest ends or a limit is over.

        until: a compiled pattern; the guest is stopped, well, at the first line that has it.
        reply: (pattern, bytes): what is typed once, at the first line that has the pattern.
        """
        last = collections.deque(maxlen=LAST_LINES)
        verdict = None
        try:
            for line in self._lines(timeout, silence):
                if isinstance(line, tuple):
                    verdict = line
                    break
                last.append(line)
                line_sink(line + b"\n")
                if until and until.search(line):
                    verdict = (0, "got as far as it should")
                    break
                if reply and reply[0].search(line):
                    self._type(reply[1])
                    reply = None
        finally:
            if verdict or sys.exc_info()[0]:
                self.stop()
        status = self.status()
        status, reason = verdict or (status, describe(status, self.process.returncode))
        return Result(status, reason, [l.decode(errors="replace").rstrip() for l in last],
                      time.monotonic() - self.started)

    def _type(self, text):
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def _lines(self, timeout, silence):
        """Yields each line; in the end a (status, reason) when a limit was over."""
        fd = self.process.stdout.fileno()
        pending = b""
        verdict = None
        self.heard = time.monotonic()
        while True:
            limits = [(self.started + timeout, (EXIT_TIMEOUT, f"timeout: ran for {timeout:g} s"))] if timeout else []
            limits += [(self.heard + silence, (EXIT_SILENT, f"silent for {silence:g} s"))] if silence else []
            deadline, why = min(limits, default=(None, None))
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                verdict = why
                break
            if not select.select([fd], [], [], left)[0]:
                continue
            data = os.read(fd, 65536)
            if not data:
                break
            self.heard = time.monotonic()
            *lines, pending = (pending + data).split(b"\n")
            yield from lines
        if pending:
            yield pending
        if verdict:
            yield verdict


def describe(status, returncode):
    if returncode < 0:
        return f"ended by signal {-returncode}"
    return {0: "exit status 0",
            EXIT_GUEST_RESET: "the guest reset (triple fault?)",
            EXIT_QEMU_FAILED: "QEMU itself failed"}.get(status, f"exit status {status}")
