// `npm run acceptance`: packs the package, installs the tarball in a folder outside of the repository, and runs
// the tests of this folder there, which use nothing but the installed `site`, HTTP and a browser. Prints the time of
// each part and, last but one, `N passed, N failed, N skipped`. With names of files it runs only these.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSeconds } from "../../scripts/testing/cpu-seconds.mjs";
import { packCreate } from "../../scripts/pack.mjs";
import { filesOf, repository } from "../support/repository.js";
import { installPackage, packPackage } from "./installed-package.js";

/** Packages that the plugins of these tests and of the documentation import. */
const IMPORTED = [
  "busboy",
  "compression",
  "connect-timeout",
  "cookie-parser",
  "cookie-session",
  "csrf-sync",
  "express",
  "express-http-proxy",
  "express-session",
  "express-validator",
  "express-ws",
  "graphql",
  "graphql-http",
  "http-proxy-middleware",
  "lru-cache",
  "minisearch",
  "morgan",
  "multer",
  "on-finished",
  "passport",
  "response-time",
  "serve-index",
  "serve-static",
  "swagger-ui-express",
  "ws",
  "zod",
  // Optional packages of Sitewright.
  "@mdx-js/mdx",
  "csv-parse",
  // `npx -p typescript tsc` of a page.
  "@types/compression",
  "@types/cookie-parser",
  "@types/express-session",
  "@types/node",
  "typescript",
];

const named = process.argv.slice(2);
const missing = named.filter((file) => !existsSync(join(repository, file)));
if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);
const folder = await realpath(await mkdtemp(join(tmpdir(), "site-acceptance-")));
try {
  const began = performance.now();
  const seconds = (): string =>
    `${((performance.now() - began) / 1000).toFixed(0)} s (CPU ${cpuSeconds().toFixed(0)} s)`;
  const tarball = await packPackage(repository, folder);
  console.log(`packed ${tarball.bytes} bytes after ${seconds()}`);
  const home = join(folder, "home");
  await installPackage(repository, { home, tarball: tarball.path, imported: IMPORTED });
  console.log(`installed after ${seconds()}`);
  const files = named.length > 0 ? named : filesOf("test/acceptance/*.acceptance.ts");
  const env = {
    ...process.env,
    ACCEPTANCE_HOME: home,
    ACCEPTANCE_TARBALL: tarball.path,
    ACCEPTANCE_TARBALL_BYTES: String(tarball.bytes),
    ACCEPTANCE_CREATE_TARBALL: packCreate(folder).path,
  };
  const words = ["scripts/test.mjs", "--slowest=20", ...files];
  const tests = spawn(process.execPath, words, { cwd: repository, env, stdio: "inherit" });
  const [status] = await once(tests, "close");
  console.log(`tested after ${seconds()}`);
  if (status !== 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
