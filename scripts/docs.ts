// Writes the generated sections of the documentation: references that follow from the code.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generatedPages } from "./docs/generated.js";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
for (const [page, text] of await generatedPages(root)) writeFileSync(`${root}/${page}`, text);
