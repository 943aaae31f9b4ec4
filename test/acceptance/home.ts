/** The folder with the installed package that `run.ts` prepared, and the command `site` in it. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startProcess, startServer, type SiteProcess } from "../support/processes/site-process.js";

/** Absolute path of the folder with `node_modules/sitewright`. */
export const home = requiredVariable("ACCEPTANCE_HOME");

/** Bytes of the tarball. */
export const tarballBytes = Number(requiredVariable("ACCEPTANCE_TARBALL_BYTES"));

/** Absolute paths of the packed Sitewright and create-sitewright. */
export const tarball = requiredVariable("ACCEPTANCE_TARBALL");
export const createTarball = requiredVariable("ACCEPTANCE_CREATE_TARBALL");

const commandOf = (name: string): string => join(home, "node_modules", ".bin", name);
const bin = commandOf("site");

/** The exit code and the output of a command. */
export interface Ended {
  code: number | null;
  text: string;
}

/** Runs the installed `site` to its end. */
export async function runSite(...args: readonly string[]): Promise<Ended> {
  const started = startProcess(args, { bin });
  const code = await started.ended();
  return { code, text: started.text() };
}

/** Runs the installed TypeScript compiler on a project. */
export async function runCompiler(project: string): Promise<Ended> {
  const started = startProcess(["-p", project], { bin: commandOf("tsc") });
  const code = await started.ended();
  return { code, text: started.text() };
}

/** Runs the installed `site serve` on a root; resolves when it is ready. */
export function serveSite(
  root: string,
  more: readonly string[] = [],
): Promise<SiteProcess & { url: string }> {
  return startServer(root, { bin, more });
}

/** Writes files of a site below `home`; resolves with its root. */
export async function writeSite(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const root = join(home, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** Copies a folder or file into a site. */
export async function copyInto(root: string, path: string, source: string): Promise<void> {
  await cp(source, join(root, path), { recursive: true });
}

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run \`npm run acceptance\``);
  return value;
}
