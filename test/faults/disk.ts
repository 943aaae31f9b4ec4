// A small file system, and a hosts file, that only processes started with `command` see.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#lib/errors";
import { runCommand } from "../../scripts/services/run-command.js";

const CHUNK = Buffer.alloc(1024 * 1024, 1);

/** A tmpfs at `folder` in a mount namespace of its own. */
export class Disk {
  readonly #holder: ChildProcess;
  readonly #folder: string;
  readonly #hosts: string;

  private constructor(holder: ChildProcess, folder: string, hosts: string) {
    this.#holder = holder;
    this.#folder = folder;
    this.#hosts = hosts;
  }

  /** @throws when the machine does not allow namespaces. */
  static async open(folder: string, megabytes: number): Promise<Disk> {
    const hosts = `${folder}.hosts`;
    writeFileSync(hosts, "");
    const mounts = `mount -t tmpfs -o size=${megabytes}m none ${folder} && mount --bind ${hosts} /etc/hosts`;
    const isRoot = process.getuid?.() === 0;
    const holder = spawn("unshare", [
      isRoot ? "-m" : "-rm",
      "sh",
      "-c",
      `${mounts} && echo ready && exec sleep infinity`,
    ]);
    process.once("exit", () => holder.kill("SIGKILL"));
    const said = await Promise.race([once(holder.stdout, "data"), once(holder, "exit")]);
    if (!String(said[0]).includes("ready")) throw new Error("no namespaces on this machine");
    return new Disk(holder, folder, hosts);
  }

  /** The prefix of a command that sees the disk. */
  get command(): readonly string[] {
    const user = process.getuid?.() === 0 ? [] : ["-U", "--preserve-credentials"];
    return ["nsenter", "-m", ...user, "-t", String(this.#holder.pid)];
  }

  /** The folder of the disk, for this process. */
  get path(): string {
    return `/proc/${this.#holder.pid}/root${this.#folder}`;
  }

  /** Writes until there is no space. */
  fill(): void {
    const file = openSync(join(this.path, "filler"), "w");
    for (let size = CHUNK.length; size >= 1;) {
      try {
        writeSync(file, CHUNK.subarray(0, size));
      } catch (error) {
        if (errorCode(error) !== "ENOSPC") throw error;
        size = Math.floor(size / 2);
      }
    }
    closeSync(file);
  }

  empty(): void {
    rmSync(join(this.path, "filler"), { force: true });
  }

  async remount(mode: "ro" | "rw"): Promise<void> {
    for (;;) {
      try {
        await this.run(["mount", "-o", `remount,${mode}`, this.#folder]);
        return;
      } catch (error) {
        // While a file is open for writing.
        if (!String(error).includes("busy")) throw error;
      }
    }
  }

  /** Runs a command that sees the disk. */
  async run(command: readonly string[]): Promise<void> {
    const [program = "", ...words] = this.command;
    await runCommand(program, [...words, ...command]);
  }

  /** Host names that resolve to 127.0.0.1; all others go to the machine's resolver. */
  resolve(names: readonly string[]): void {
    const lines = ["localhost", ...names].map((name) => `127.0.0.1 ${name}\n`);
    // In place: a new file would not be the mounted one.
    writeFileSync(this.#hosts, lines.join(""));
  }

  close(): void {
    this.#holder.kill("SIGKILL");
    rmSync(this.#hosts, { force: true });
  }
}
