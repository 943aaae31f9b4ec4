import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = new URL("../../content/05.operate/01.deployment/docs.md", import.meta.url);

/** The variables of the container file in the documentation. */
export function deployedVariables(): Readonly<Record<string, string>> {
  const [, line] = /^ENV (.+)$/m.exec(readFileSync(page, "utf8")) ?? [];
  if (line === undefined) throw new Error(`${fileURLToPath(page)} has no ENV`);
  const words = line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g);
  return Object.fromEntries(
    Array.from(words, ([, name, quoted, plain]) => [name, quoted ?? plain]),
  );
}
