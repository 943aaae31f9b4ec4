/** Languages of code blocks, and the menu that sets one. */
import { t } from "../../text/tool-texts.js";
import { openSearchMenu } from "../handle/menu.js";

/** Languages by the name that Markdown has for them; any other name can be typed. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: "Bash",
  c: "C",
  cpp: "C++",
  csharp: "C#",
  css: "CSS",
  csv: "CSV",
  dart: "Dart",
  diff: "Diff",
  docker: "Dockerfile",
  elixir: "Elixir",
  erlang: "Erlang",
  go: "Go",
  graphql: "GraphQL",
  haskell: "Haskell",
  html: "HTML",
  http: "HTTP",
  ini: "INI",
  java: "Java",
  js: "JavaScript",
  json: "JSON",
  jsx: "JSX",
  kotlin: "Kotlin",
  latex: "LaTeX",
  lua: "Lua",
  make: "Makefile",
  markdown: "Markdown",
  mermaid: "Mermaid",
  nginx: "Nginx",
  nix: "Nix",
  perl: "Perl",
  php: "PHP",
  powershell: "PowerShell",
  python: "Python",
  r: "R",
  regex: "Regular expression",
  ruby: "Ruby",
  rust: "Rust",
  scala: "Scala",
  scss: "SCSS",
  sql: "SQL",
  svelte: "Svelte",
  swift: "Swift",
  toml: "TOML",
  ts: "TypeScript",
  tsx: "TSX",
  vue: "Vue",
  xml: "XML",
  yaml: "YAML",
  zig: "Zig",
};
/** Other names of the same languages. */
const ALIASES: Readonly<Record<string, string>> = {
  javascript: "js",
  mjs: "js",
  cjs: "js",
  typescript: "ts",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  yml: "yaml",
  md: "markdown",
  cs: "csharp",
  "c#": "csharp",
  "c++": "cpp",
  dockerfile: "docker",
  makefile: "make",
  tex: "latex",
};

/** The name of a language for people; the name itself when it is not known. */
export function languageName(name: string): string {
  const key = name.toLowerCase();
  const canonical = Object.hasOwn(ALIASES, key) ? (ALIASES[key] ?? key) : key;
  return Object.hasOwn(LANGUAGES, canonical) ? (LANGUAGES[canonical] ?? name) : name;
}

/** Opens the menu below an element; `choose` gets the chosen name, empty for none. */
export function openLanguageMenu(
  anchor: Element,
  choose: (name: string) => void,
  onClose: () => void,
): void {
  openSearchMenu(anchor, {
    label: t("code.language"),
    find: (words) => {
      const sought = words.trim().toLowerCase();
      const known = Object.entries(LANGUAGES)
        .filter(([name, label]) => matches(name, label, sought))
        .map(([name, label]) => ({ label, run: () => choose(name) }));
      if (sought === "") return [{ label: t("code.plain"), run: () => choose("") }, ...known];
      const isOther = /^[^\s{}[\]:=`~]+$/.test(sought) && languageName(sought) === sought;
      const other = { label: t("code.other", { name: sought }), run: () => choose(sought) };
      return isOther ? [...known, other] : known;
    },
    onClose,
  });
}

function matches(name: string, label: string, sought: string): boolean {
  return (
    label.toLowerCase().includes(sought) ||
    name.startsWith(sought) ||
    Object.entries(ALIASES).some(([alias, of]) => of === name && alias.startsWith(sought))
  );
}
