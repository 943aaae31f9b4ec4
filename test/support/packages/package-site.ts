// A site root with its own package registry, and commands run on it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, type Command } from "#kernel";
import { commandOutput } from "../processes/command-output.js";
import { useFolder } from "../folder.js";
import { NpmRegistry } from "./npm-registry.js";

/** The output of a command, and its exit code; the error's code when it threw one. */
export interface Ran {
  code: number;
  lines: string[];
  errors: string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of many shapes, asserted by each test
  json: any;
}

/** A folder with `site.yaml` and a registry, new for each test of one `describe`. */
export function usePackageSite() {
  const folder = useFolder();
  const registry = { current: new NpmRegistry() };
  beforeEach(async () => {
    registry.current = new NpmRegistry();
    await registry.current.start();
    await write(".npmrc", `registry=${registry.current.url}\n`);
    await write("site.yaml", "# our site\ntitle: T # short\n");
  });
  afterEach(() => registry.current.stop());

  const write = (file: string, text: string): Promise<void> =>
    atomicWrite(join(folder.path, file), text);
  const read = (file: string): Promise<string> => readFile(join(folder.path, file), "utf8");
  const run = async (
    command: Command,
    args: readonly string[] = [],
    options: Record<string, unknown> = {},
  ): Promise<Ran> => {
    const { out, lines, errors, json } = commandOutput();
    const site = (): never => {
      throw new Error("the command needs no running site");
    };
    const code = (await command.run({ args, options, out, root: folder.path, site })) ?? 0;
    return { code, lines, errors, json: json[0] };
  };
  return { folder, registry, write, read, run };
}
