/** Names of languages that no file of the grammars has: with signs, or as other highlighters spell them. */
const GRAMMARS: ReadonlyMap<string, string> = new Map([
  ["c++", "cpp"],
  ["cxx", "cpp"],
  ["cc", "cpp"],
  ["hpp", "cpp"],
  ["h++", "cpp"],
  ["c#", "csharp"],
  ["f#", "fsharp"],
  ["j#", "java"],
  ["a#", "ada"],
  ["objective-c++", "objective-cpp"],
  ["objectivec", "objective-c"],
  ["objectivec++", "objective-cpp"],
  ["obj-c", "objective-c"],
  ["obj-c++", "objective-cpp"],
  ["objc++", "objective-cpp"],
  ["objcpp", "objective-cpp"],
  ["golang", "go"],
  ["visual-basic", "vb"],
  ["vb.net", "vb"],
  ["vbnet", "vb"],
  ["visualbasic", "vb"],
  ["asp.net", "razor"],
  ["node", "javascript"],
  ["nodejs", "javascript"],
  ["node.js", "javascript"],
  ["python3", "python"],
  ["py3", "python"],
  ["htm", "html"],
  ["xhtml", "html"],
  ["svg", "xml"],
  ["rss", "xml"],
  ["patch", "diff"],
  ["sh-session", "shellsession"],
  ["shell-session", "shellsession"],
  ["bash-session", "shellsession"],
  ["pycon", "python"],
  ["delphi", "pascal"],
  ["emacs", "elisp"],
  ["assembly", "asm"],
  ["nasm", "asm"],
  ["conf", "ini"],
  ["cfg", "ini"],
  ["postgresql", "sql"],
  ["postgres", "sql"],
  ["mysql", "sql"],
  ["dos", "bat"],
  ["winbatch", "bat"],
  ["posh", "powershell"],
  ["docker-compose", "yaml"],
  ["compose", "yaml"],
]);

/** The grammar of a language, in lower case, by any name that authors use; the name itself without another. */
export function grammarName(language: string): string {
  // `{.python}` of Pandoc, and what follows a comma: `rust,ignore`.
  const [name = ""] = language
    .replace(/^\{?\.?/, "")
    .replace(/\}$/, "")
    .split(",", 1);
  return GRAMMARS.get(name) ?? name;
}
