// `node scripts/card-font.mjs`: makes the font of preview pictures again, from the package of the typeface: its bold
// style with the characters that plugins/render/engines/sharp.ts draws without fonts of the machine.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import subsetFont from "subset-font";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "plugins", "render", "assets");
const SCRIPTS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;
const LAST_CODE = 0x1ffff;

/** The bytes of the font. Pango draws TrueType; compressed formats are not found. */
export function cardFont() {
  const codes = Array.from({ length: LAST_CODE - 0x1f }, (_, at) => at + 0x20);
  // Halves of surrogate pairs are no characters.
  const characters = codes
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const text = characters.filter((character) => SCRIPTS.test(character)).join("");
  const whole = readFileSync(join(typeface(), "700Bold", "Inter_700Bold.ttf"));
  return subsetFont(whole, text, { targetFormat: "truetype" });
}

function typeface() {
  return dirname(createRequire(import.meta.url).resolve("@expo-google-fonts/inter/package.json"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(join(folder, "inter-bold.ttf"), await cardFont());
  const license = readFileSync(join(typeface(), "LICENSE_FONT"));
  writeFileSync(join(folder, "inter-license.txt"), license);
}
