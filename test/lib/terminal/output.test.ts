import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { createOutput, formatTable } from "../../../lib/terminal/output.js";

function stream(isTTY?: boolean) {
  const written: string[] = [];
  const writable = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { written, writable: Object.assign(writable, isTTY === undefined ? {} : { isTTY }) };
}

describe("createOutput", () => {
  it("writes lines and JSON to one stream, errors to the other", () => {
    const [out, err] = [stream(), stream()];
    const output = createOutput({ out: out.writable, err: err.writable });
    output.line("one");
    output.line();
    output.json({ a: 1 });
    output.error("no");
    assert.deepEqual(
      [out.written.join(""), err.written.join("")],
      ['one\n\n{\n  "a": 1\n}\n', "no\n"],
    );
  });

  it("is plain when piped", () => {
    const { colour } = createOutput({ out: stream().writable, err: stream().writable });
    assert.equal(colour.red("x") + colour.bold("y"), "xy");
  });

  it("draws progress only on a terminal, also of nothing and beyond the end", () => {
    const [piped, terminal] = [stream(), stream(true)];
    for (const { writable } of [piped, terminal]) {
      const progress = createOutput({ out: writable, err: writable }).progress("pages", 4);
      progress.tick(2, "half");
      progress.tick(9);
      progress.end("done");
      createOutput({ out: writable, err: writable }).progress("none", 0).tick(0);
    }
    assert.deepEqual(piped.written, []);
    const text = terminal.written.join("");
    assert.match(text, /pages █{12}░{12} 2\/4 half/);
    assert.match(text, /pages █{24} 9\/4/);
    assert.match(text, /pages done\n/);
  });
});

describe("formatTable", () => {
  it("gives each column the width of its longest cell, and leaves no spaces at the end", () => {
    const rows = [
      ["NODE", "ROLE"],
      ["a", "follower"],
      ["longer", ""],
    ];
    assert.deepEqual(formatTable(rows), ["NODE    ROLE", "a       follower", "longer"]);
    assert.deepEqual(formatTable([]), []);
  });
});
