import fs from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";

/** A fault at one call: an error, or a power loss there or after the last call, with the unsynced data lost. */
export type Fault =
  | { at: number; code: string }
  /** `keepsNames`: unsynced renames survive. */
  | { at: number; power: "lost"; keepsNames: boolean };

type Call = (...args: never[]) => Promise<unknown>;
const CALLS = ["open", "mkdir", "rename", "rm", "utimes"] as const;
const HANDLE_CALLS = ["writeFile", "write", "sync", "close"] as const;

/** A rename or removal that no sync of the folder has made durable. */
interface Pending {
  readonly to: string;
  readonly before: Buffer | null;
}

/**
 * The disk below one folder, as this process sees it through `node:fs/promises`, with injected faults.
 * It tracks unsynced changes, which a power loss removes: bytes of files, names.
 */
export class FailingDisk {
  readonly #folder: string;
  readonly #undo: (() => void)[] = [];
  readonly #paths = new WeakMap<object, string>();
  readonly #dirty = new Set<string>();
  #pending: Pending[] = [];
  #fault: Fault | null = null;
  calls: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** From now on every call goes through this disk. */
  async install(): Promise<void> {
    const probe = await fs.open(join(tmpdir(), `probe-${process.pid}`), "w");
    const prototype: object = Object.getPrototypeOf(probe);
    await probe.close();
    rmSync(join(tmpdir(), `probe-${process.pid}`));
    for (const name of CALLS) this.#wrap(fs, name, (_self, args) => String(args[0]));
    for (const name of HANDLE_CALLS) {
      this.#wrap(prototype, name, (self) => this.#paths.get(self) ?? "");
    }
    syncBuiltinESMExports();
  }

  uninstall(): void {
    for (const undo of this.#undo.splice(0)) undo();
    syncBuiltinESMExports();
  }

  /** Runs `work` on the disk with that fault; returns its error, null on success. */
  async during(fault: Fault | null, work: () => Promise<unknown>): Promise<unknown> {
    this.#fault = fault;
    this.calls = [];
    try {
      await work();
      return null;
    } catch (error) {
      return error;
    } finally {
      if (fault !== null && "power" in fault) this.#lose(fault.keepsNames);
      this.#fault = null;
    }
  }

  /** Treats everything written so far as durable. */
  settle(): void {
    this.#dirty.clear();
    this.#pending = [];
  }

  #wrap(
    owner: object,
    name: string,
    pathOf: (self: object, args: readonly unknown[]) => string,
  ): void {
    const real: Call = Reflect.get(owner, name);
    const call = async (self: object, args: never[]): Promise<unknown> => {
      const path = pathOf(self, args);
      if (!path.startsWith(this.#folder)) return Reflect.apply(real, self, args);
      this.#meet(name, self, real);
      this.#note(name, path, args);
      // The effect of a sync is modelled here; the machine's own disk need not wait.
      const result = name === "sync" ? undefined : await Reflect.apply(real, self, args);
      if (name === "open") this.#paths.set(result as FileHandle, path);
      return result;
    };
    Reflect.set(owner, name, function (this: object, ...args: never[]) {
      return call(this, args);
    });
    this.#undo.push(() => Reflect.set(owner, name, real));
  }

  /** @throws the fault for this call. */
  #meet(name: string, self: object, real: Call): void {
    const at = this.calls.push(name) - 1;
    const fault = this.#fault;
    if (fault === null) return;
    const isPower = "power" in fault;
    if (isPower ? at < fault.at : at !== fault.at) return;
    // The descriptor is closed whatever close(2) returns; leaking it would end the test run.
    if (name === "close") void Reflect.apply(real, self, []);
    const code = isPower ? "EIO" : fault.code;
    throw Object.assign(new Error(`${code}: injected, ${name}`), { code });
  }

  #note(name: string, path: string, args: readonly unknown[]): void {
    if (name === "writeFile" || name === "write") this.#dirty.add(path);
    if (name === "sync") {
      this.#dirty.delete(path);
      this.#pending = this.#pending.filter(({ to }) => dirname(to) !== path);
    }
    if (name === "rm") this.#pending.push({ to: path, before: contentOf(path) });
    if (name !== "rename") return;
    const to = String(args[1]);
    this.#pending.push({ to, before: contentOf(to) });
    if (this.#dirty.delete(path)) this.#dirty.add(to);
  }

  #lose(keepsNames: boolean): void {
    for (const file of this.#dirty) if (contentOf(file) !== null) truncateSync(file, 0);
    if (keepsNames) return;
    for (const { to, before } of this.#pending.toReversed()) {
      if (before === null) rmSync(to, { force: true, recursive: true });
      else {
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, before);
      }
    }
  }
}

function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
