// Writes the generated sections of the documentation: references that follow from the code.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generatedPages } from "./docs/generated.js";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const pages = await generatedPages(root);
for (const [page, text] of pages) writeFileSync(`${root}/${page}`, text);
