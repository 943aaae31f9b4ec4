// Writes the generated sections of the documentation: references derived from the code.
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { outlivedPages } from "./docs/error-pages.js";
import { generatedPages } from "./docs/generated.js";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const pages = await generatedPages(root);
for (const [page, text] of pages) writeFileSync(`${root}/${page}`, text);
for (const page of outlivedPages(root, pages)) rmSync(`${root}/${page}`);
