/** Changes of front matter. The editor loads it beside the page: what only shows a page needs no editor of YAML. */
import { editYaml } from "#lib/yaml";
import { findLineBreak, readFrontMatter, type TextFile } from "./edited-text.js";

/**
 * A file with one key of its front matter set; undefined removes the key.
 * @throws YamlEditError for a key whose value another key uses.
 */
export function setKey(file: TextFile, key: string, value: unknown): TextFile {
  if (file.close === "") {
    if (value === undefined) return file;
    const fence = `---${findLineBreak(file.body)}`;
    return setKey({ ...file, open: `${file.open}${fence}`, close: fence }, key, value);
  }
  // A list or a text has no keys, and TOML is no YAML: they are edited as a whole.
  if (readFrontMatter(file.yaml, file.syntax).values === null) return file;
  const yaml = editYaml(file.yaml, [{ path: [key], value }], {
    lineBreak: findLineBreak(file.open),
  });
  return yaml === file.yaml ? file : { ...file, yaml };
}
