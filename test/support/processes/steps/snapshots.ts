/** Copies of a folder as a kill at each file-system call of this process would leave it. */
import fs, { cpSync, mkdirSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const NAMES = [
  "writeFile",
  "rename",
  "rm",
  "rmdir",
  "mkdir",
  "link",
  "unlink",
  "copyFile",
  "symlink",
] as const;

/** Copies the folder right before each call that changes it. */
export class Snapshots {
  readonly #root: string;
  readonly #target: string;
  count = 0;
  #isOn = true;

  constructor(root: string, target: string) {
    this.#root = root;
    this.#target = target;
  }

  async install(): Promise<void> {
    for (const name of NAMES) {
      this.#wrap(promises, name);
      this.#wrap(fs, name);
      this.#wrap(fs, `${name}Sync`);
    }
    this.#wrap(promises, "open", (args) => String(args[1] ?? "r") !== "r");
    const handle = await promises.open(join(this.#root, "site.yaml"), "r");
    const prototype: object = Object.getPrototypeOf(handle);
    await handle.close();
    for (const name of ["writeFile", "write"]) this.#wrap(prototype, name, () => true, true);
    syncBuiltinESMExports();
  }

  /** Copies the folder as it is. */
  take(): void {
    this.#isOn = false;
    const to = join(this.#target, String(this.count).padStart(4, "0"));
    mkdirSync(to, { recursive: true });
    cpSync(this.#root, to, { recursive: true, verbatimSymlinks: true });
    this.count += 1;
    this.#isOn = true;
  }

  #wrap(
    owner: object,
    name: string,
    changes: (args: readonly unknown[]) => boolean = () => true,
    isHandle = false,
  ): void {
    const real: unknown = Reflect.get(owner, name);
    if (typeof real !== "function") return;
    const before = (args: readonly unknown[]): void => {
      const isBelow =
        isHandle || args.slice(0, 2).some((one) => String(one).startsWith(this.#root));
      if (this.#isOn && isBelow && changes(args)) this.take();
    };
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]): unknown {
      before(args);
      return Reflect.apply(real, this, args);
    });
  }
}
