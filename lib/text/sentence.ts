/** An error message as a sentence for people. A message that begins with a name, a path or a quote keeps its first letter. */
export function toSentence(message: string): string {
  const [first = ""] = message.split(/\s/, 1);
  const text = /^\p{Ll}[\p{Ll}'’-]*,?$/u.test(first)
    ? message.charAt(0).toUpperCase() + message.slice(1)
    : message;
  return /[.!?…:]["”)]?$/.test(text) || text === "" ? text : `${text}.`;
}
