"""The network of a test: a namespace with an address of its own for each machine, where the system permits it, and the
loopback interface otherwise."""
import os
import subprocess


def run(*words, check=True, input=""):
    return subprocess.run(words, check=check, input=input, capture_output=True, text=True)


def hardware(number):
    return f"02:00:0a:d5:07:{number:02x}"


# Without fixed neighbours, a machine that is cut off is soon "not reachable" instead of silent.
NEIGHBOURS = "".join(f"neighbour replace 10.213.7.{number} lladdr {hardware(number)} nud permanent dev wire\n" for number in range(1, 100))


class Network:
    """Machines are connected by a virtual switch. Without the right to create namespaces, or with FLEET_LOOPBACK=1, all have one
    address."""

    def __init__(self, name):
        self.name = name
        self.switch = f"{name}-switch"
        self.machines = {}
        self.has_namespaces = False
        if os.environ.get("FLEET_LOOPBACK"):
            return
        try:
            self.create_switch()
            self.has_namespaces = True
        except (OSError, subprocess.CalledProcessError):
            self.close()

    def create_switch(self):
        run("ip", "netns", "add", self.switch)
        run("ip", "-n", self.switch, "link", "add", "switch", "type", "bridge")
        run("ip", "-n", self.switch, "link", "set", "switch", "up")

    def add(self, machine):
        """Returns the address of a new machine."""
        number = len(self.machines) + 1
        address = f"10.213.7.{number}" if self.has_namespaces else "127.0.0.1"
        self.machines[machine] = address
        if self.has_namespaces:
            space, port = self.space(machine), f"port{number}"
            run("ip", "netns", "add", space)
            run("ip", "link", "add", port, "netns", self.switch, "type", "veth", "peer", "name", "wire", "address", hardware(number), "netns", space)
            run("ip", "-n", self.switch, "link", "set", port, "master", "switch")
            run("ip", "-n", self.switch, "link", "set", port, "up")
            run("ip", "-n", space, "link", "set", "lo", "up")
            run("ip", "-n", space, "address", "add", f"{address}/24", "dev", "wire")
            run("ip", "-n", space, "link", "set", "wire", "up")
            run("ip", "-n", space, "-batch", "-", input=NEIGHBOURS)
        return address

    def space(self, machine):
        return f"{self.name}-{machine}"

    def command(self, machine, words):
        """The words of a command that runs on a machine."""
        return ["ip", "netns", "exec", self.space(machine), *words] if self.has_namespaces else list(words)

    def cut(self, machine):
        """Drops all packets of a machine. No connection is closed, and no machine is told: a port that is down would be noticed."""
        self.set_port(machine, "nomaster")

    def heal(self, machine):
        self.set_port(machine, "master", "switch")

    def set_port(self, machine, *state):
        number = list(self.machines).index(machine) + 1
        run("ip", "-n", self.switch, "link", "set", f"port{number}", *state)

    def cut_between(self, machine, other):
        """Drops the packets between two machines, in both directions. No connection is closed."""
        for one, two in ((machine, other), (other, machine)):
            run("ip", "-n", self.space(one), "route", "add", "blackhole", f"{self.machines[two]}/32", check=False)

    def heal_between(self, machine, other):
        for one, two in ((machine, other), (other, machine)):
            run("ip", "-n", self.space(one), "route", "del", "blackhole", f"{self.machines[two]}/32", check=False)

    def close(self):
        for machine in self.machines:
            if self.has_namespaces:
                run("ip", "netns", "delete", self.space(machine), check=False)
        if os.path.exists(f"/run/netns/{self.switch}"):
            run("ip", "netns", "delete", self.switch, check=False)
