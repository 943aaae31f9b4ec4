import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { globSync } from "tinyglobby";
import type { SiteError } from "#lib/errors";
import { runningFile } from "#lib/packages";
import { type CommandInput, optionError } from "#kernel";

const NAME = /^[\w.-]+$/;
const ENDING = "test.{js,mjs,cjs,ts,mts,tsx}";

/**
 * Runs the tests beside the plugins of a site with `node:test`, TypeScript included; resolves with the
 * exit code of the run.
 * @throws ERR_CLI_OPTION when a plugin has no tests.
 */
export async function testPlugins({ args, root }: CommandInput): Promise<number> {
  const files =
    args.length === 0 ? findTests("*", root) : args.flatMap((name) => ofOne(name, root));
  if (files.length === 0) throw noTests(join("plugins", "*"));
  // Set explicitly: older versions of Node default to TAP when the output is not a terminal.
  const run = [...setup(), "--test", "--test-reporter=spec", ...files];
  const child = spawn(process.execPath, run, {
    cwd: root,
    stdio: ["inherit", inheritOrPipe(process.stdout), inheritOrPipe(process.stderr)],
  });
  // Piped through this process, which survives a reader that closes early.
  child.stdout?.on("data", (text: Buffer) => void process.stdout.write(text));
  child.stderr?.on("data", (text: Buffer) => void process.stderr.write(text));
  const [code]: unknown[] = await once(child, "close");
  return typeof code === "number" ? code : 1;
}

function ofOne(name: string, root: string): string[] {
  const tests = NAME.test(name) ? findTests(name, root) : [];
  if (tests.length === 0) throw noTests(join("plugins", name));
  return tests;
}

/** Tests in the folder of a plugin, or beside its file. */
function findTests(name: string, root: string): string[] {
  const patterns = [`plugins/${name}/**/*.${ENDING}`, `plugins/${name}.${ENDING}`];
  const files = globSync(patterns, { cwd: root, absolute: true, ignore: ["**/node_modules/**"] });
  return files.map((file) => relative(root, file)).sort();
}

/** Prepares each test process; see `test-setup.mjs`. */
function setup(): string[] {
  const url = pathToFileURL(runningFile("plugins/dev/test-setup.mjs"));
  const aliases = GIVEN.map((name) => [name, fileURLToPath(import.meta.resolve(name))]);
  url.searchParams.set("aliases", JSON.stringify(Object.fromEntries(aliases)));
  url.searchParams.set(
    "jiti",
    new URL("./jiti-hooks.mjs", import.meta.resolve("jiti/register")).href,
  );
  return ["--import", url.href];
}

/** Modules that plugins import without installing them: those of the running package, as in the server. */
const GIVEN = [
  "sitewright",
  "sitewright/plugins",
  "sitewright/theme",
  "sitewright/testing",
  "sitewright/auth",
  "zod",
  "preact",
  "preact/hooks",
  "preact/jsx-runtime",
];

function noTests(where: string): SiteError {
  return optionError(`${JSON.stringify(where)} has no test`, {
    fix: "write one that ends in .test.ts, or correct the name",
  });
}

/** A terminal is used by the child itself: it colours its output. */
function inheritOrPipe({ isTTY }: NodeJS.WriteStream): "inherit" | "pipe" {
  return isTTY ? "inherit" : "pipe";
}
