import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { debianProgram } from "./debian-program.js";
import { runCommand } from "./run-command.js";
import { freePort, startServer, type ServerProcess } from "./server-process.js";

/** A running sshd that lets the user of this process in with a key. */
export interface SshServer extends ServerProcess {
  readonly user: string;
  readonly port: number;
  /** The key of the user; the file `known_hosts` is beside it. */
  readonly key: string;
  /** Value of GIT_SSH_COMMAND. */
  readonly command: string;
}

/** Starts sshd on a free port of 127.0.0.1. @throws MissingServiceError. */
export async function startSshd(): Promise<SshServer> {
  const { path, env } = await debianProgram({ binary: "sshd", packages: ["openssh-server"] });
  const folder = mkdtempSync(join(tmpdir(), "site-sshd-"));
  const port = await freePort();
  const [host, key] = [join(folder, "host"), join(folder, "key")];
  for (const file of [host, key]) {
    await runCommand("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
  }
  const [kind, value] = readFileSync(`${host}.pub`, "utf8").split(" ");
  writeFileSync(join(folder, "known_hosts"), `[127.0.0.1]:${port} ${kind} ${value}\n`);
  // sshd of the superuser needs it, and no package script creates it here.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const settings = {
    ListenAddress: `127.0.0.1:${port}`,
    HostKey: host,
    AuthorizedKeysFile: `${key}.pub`,
    PidFile: "none",
    UsePAM: "no",
    StrictModes: "no",
    PasswordAuthentication: "no",
    KbdInteractiveAuthentication: "no",
    PermitRootLogin: "prohibit-password",
  };
  const options = Object.entries(settings).flatMap(([name, text]) => ["-o", `${name}=${text}`]);
  const server = await startServer({
    command: path,
    args: ["-D", "-e", "-f", "/dev/null", ...options],
    env,
    ready: "Server listening on",
    folder,
    stopSignal: "SIGTERM",
  });
  const known = join(folder, "known_hosts");
  const strict = ["-oStrictHostKeyChecking=yes", `-oUserKnownHostsFile=${known}`];
  const command = ["ssh", "-oBatchMode=yes", "-F", "none", "-i", key, ...strict].join(" ");
  return { ...server, user: userInfo().username, port, key, command };
}
