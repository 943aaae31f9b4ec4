import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { debianProgram, type Program } from "./debian-program.js";
import { MissingServiceError } from "./missing-service.js";

// A page opened in the panel takes 0.5 s of CPU time in the headless shell, 1.3 s in the whole browser,
// whose window is a page of its own.
const headlessShell = {
  binary: "chromium-headless-shell",
  packages: ["chromium-headless-shell", "fonts-liberation"],
  alternative: "chromium",
};

/** Starts a headless Chromium: the one of `CHROMIUM_PATH`, else Debian's. @throws MissingServiceError. */
export async function startChromium(): Promise<Browser> {
  const program = await chromiumProgram();
  const { chromium } = await import("playwright-core");
  // Chromium's sandbox does not run as root; /dev/shm is small in containers.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: program.path,
    env: { ...definedEnvironment(), ...program.env },
    args: ["--disable-dev-shm-usage", ...(isRoot ? ["--no-sandbox"] : [])],
  });
}

async function chromiumProgram(): Promise<Program> {
  const path = process.env["CHROMIUM_PATH"];
  if (!path) return debianProgram(headlessShell);
  if (existsSync(path)) return { path, env: {} };
  throw new MissingServiceError(
    "Chromium",
    `CHROMIUM_PATH names ${JSON.stringify(path)}, which does not exist`,
  );
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
