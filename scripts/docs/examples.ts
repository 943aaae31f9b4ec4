import { readFileSync } from "node:fs";
import { extname } from "node:path";

const FOLDER = "test/fixtures/plugins";

/** Page folder of an example to its files, in the order in which the page shows them. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  "01.minisearch": ["index.ts", "engine.ts", "matches.ts", "suggest.ts", "minisearch.test.ts"],
  "02.user-service": [
    "index.ts",
    "client.ts",
    "store.ts",
    "account-service.ts",
    "user-service.test.ts",
  ],
  "03.session-cache": ["index.ts", "store.ts", "session-cache.test.ts"],
  "04.shortcode": ["index.ts", "expand-details.ts", "shortcode.test.ts"],
  "05.weather": ["index.ts", "forecasts.ts", "weather.test.ts"],
  "06.notes": ["index.tsx", "notes.ts", "notes.test.ts"],
  "07.themed": [
    "themes/harbour/theme.yaml",
    "themes/harbour/templates/boat.tsx",
    "themes/harbour/locales/de.json",
    "themed.test.ts",
  ],
  "08.failing-engine": ["index.ts", "failing-engine.test.ts"],
  "09.orders": ["hooks.ts", "index.ts", "loyalty.ts", "orders.test.ts"],
};

/** A file of an example, and the page that shows it. */
export interface ExampleFile {
  page: string;
  /** Below the folder of examples. */
  name: string;
}

/** Every file shown on a page of the examples. */
export const exampleFiles: readonly ExampleFile[] = Object.entries(EXAMPLES).flatMap(
  ([folder, files]) =>
    files.map((file) => ({
      page: `content/06.extend/20.examples/${folder}/docs.md`,
      name: `${folder.replace(/^\d+\./, "")}/${file}`,
    })),
);

const RUNNER = /\b(after|afterEach|before|beforeEach|describe|it)\b(?=[(,]| \})/g;
const ASSERT = 'import assert from "node:assert/strict";\n';

/**
 * A test as its readers run it, with `node:test`. Ours run it with the functions of their runner, which are
 * globals.
 */
function withRunner(text: string): string {
  const names = [...new Set(Array.from(text.matchAll(RUNNER), ([name]) => name))].toSorted();
  return text.replace(ASSERT, `${ASSERT}import { ${names.join(", ")} } from "node:test";\n`);
}

/** The file as a block of code. */
export function exampleCode(root: string, name: string): string {
  const file = readFileSync(`${root}/${FOLDER}/${name}`, "utf8").trim();
  const text = name.endsWith(".test.ts") ? withRunner(file) : file;
  return `\`\`\`${extname(name).slice(1)}\n${text}\n\`\`\``;
}
