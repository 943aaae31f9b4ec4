/** Documents with additional syntax that are nested, huge, unclosed, or use names of `Object.prototype`. */
export function hostileSyntax(size: number): Readonly<Record<string, string>> {
  const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));
  const lines = (line: (index: number) => string): string =>
    Array.from({ length: Math.ceil(size / line(0).length) }, (_, index) => line(index)).join("\n");
  const root = Math.floor(Math.sqrt(size));
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
  return {
    "nested alerts": lines((index) => `${"> ".repeat(index % 300)}> [!NOTE]`),
    "alerts that do not end": fill("> [!NOTE\n"),
    "containers that do not end": fill(":::note\n"),
    "nested containers": `${Array.from({ length: root }, (_, at) => `${":".repeat(root + 3 - at)}tip`).join("\n")}\na`,
    "colons of containers": fill(":"),
    "titles of containers": `:::note ${fill("[a")}`,
    "spaces in titles": `:::note a${fill(" ")}b`,
    "attributes of containers": `:::details ${fill("{open ")}`,
    "tabs without a group": fill("::: tab a\nb\n:::\n"),
    "a huge code group": `::: code-group\n${fill("```js [a]\na\n```\n")}:::`,
    "formulas that do not end": fill("$a "),
    "formulas in formulas": fill("$$a$"),
    "blocks of formulas that do not end": fill("$$\na\n"),
    "a formula of macros": `$$\n\\def\\a{\\a\\a}\\a\n${fill("\\a")}\n$$`,
    "a deep formula": `$${"{".repeat(size / 2)}a${"}".repeat(size / 2)}$`,
    "a formula with links": "$\\href{javascript:alert(1)}{a}$ $\\htmlClass{x}{y}$ $\\url{data:a}$",
    "a formula with HTML": '$\\text{<img src=x onerror=alert(1)>" onload="x}$ $<script>$',
    "wiki links that do not end": fill("[[a"),
    "nested wiki links": `${fill("[[")}a${fill("]]")}`,
    "wiki links to nothing": fill("[[a b|c]] "),
    "wiki links of scripts": fill("[[javascript:alert(1)]] [[#x|<img src=x onerror=alert(1)>]] "),
    "abbreviations of everything": `${lines((index) => `*[a${index}]: b`)}\n\n${fill("a1 a2 ")}`,
    "abbreviations that do not end": fill("*[a\n"),
    "an abbreviation with HTML": '*[a]: " onclick="x()" <b>\n\na',
    "marks that do not end": fill("==a "),
    "marks in marks": fill("==a==b"),
    subscripts: fill("a~b~c"),
    superscripts: fill("a^b^c"),
    "emoji that do not end": fill(":a"),
    "tables of contents": fill("[[toc]]\n\n## a\n\n"),
    "ranges of code lines": `\`\`\`js {${fill("1,")}}\na\n\`\`\``,
    "notes of code": `\`\`\`js\n${fill("a // [!code ++]\n")}\`\`\``,
    "titles of code": `\`\`\`js title="${fill("a'")}\na\n\`\`\``,
    diagrams: fill("```mermaid\na\n```\n"),
    "names of prototypes": names
      .flatMap((name) => [
        `:::${name}\na\n:::\n\n::: ${name} Title\nb\n:::\n\n> [!${name}]\n> a\n`,
        `\`\`\`${name} title=${name} [${name}]\na\n\`\`\`\n\n:${name}: [[${name}]] $\\${name}$ H~${name}~`,
        `*[${name}]: ${name}\n\n## ${name}\n\n[a](#${name}) [^${name}]\n\n[^${name}]: a\n`,
      ])
      .join("\n"),
  };
}
