const width = 100;
const signs = { passed: ".", failed: "!", pending: "," };

/**
 * Shows the progress of a run: a sign per test (`.` passed, `!` failed, `,` skipped), wrapped; in a
 * terminal the name of the last test below them.
 */
export function progress(out) {
  let column = 0;
  const clear = out.isTTY ? "\r\x1b[2K" : "";
  return {
    test(state) {
      out.write(signs[state] ?? "?");
      column = (column + 1) % width;
      if (column === 0) out.write("\n");
    },
    /** Prints a whole line between the signs. */
    line(text) {
      out.write(`${column > 0 ? "\n" : clear}${text.trimEnd()}\n`);
      column = 0;
    },
    end() {
      out.write(column > 0 ? "\n\n" : "\n");
    },
  };
}
