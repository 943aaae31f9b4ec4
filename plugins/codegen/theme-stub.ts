import { readFileSync } from "node:fs";
import { runningFile } from "#lib/packages";

/** Files of a theme that overrides one template and inherits the rest from `parent`. */
export function themeStub(name: string, parent: string): ReadonlyMap<string, string> {
  const folder = `themes/${name}`;
  const template = readFileSync(runningFile("plugins/codegen/scaffold/template.tsx"), "utf8");
  return new Map([
    [`${folder}/theme.yaml`, manifest(name, parent)],
    [`${folder}/templates/default.tsx`, template],
    [`${folder}/README.md`, readme(name, parent)],
  ]);
}

function manifest(name: string, parent: string): string {
  return [
    `name: ${name}`,
    "version: 1.0.0",
    `parent: ${parent}`,
    "config_schema:",
    "  motto: { type: text, label: Line above the title, default: Hello }",
    "",
  ].join("\n");
}

function readme(name: string, parent: string): string {
  return [
    `# ${name}`,
    "",
    "Select it in `site.yaml`:",
    "",
    "```yaml",
    "theme:",
    `  name: ${name}`,
    "  custom: { motto: Ahoy }",
    "```",
    "",
    `Missing templates come from the theme \`${parent}\`: copy one from there to change it.`,
    "",
  ].join("\n");
}
