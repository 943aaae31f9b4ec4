import assert from "node:assert/strict";
import { typeOfMedia } from "../../../../plugins/content/read/media/media-type.js";
import { mediaHeaders } from "../../../../plugins/media/originals/media-type.js";

describe("typeOfMedia", () => {
  const names =
    "s.js s.mjs s.css s.wasm s.jsx s.less a.png a.svg a.html a.txt a.json A.JS js a. .js a.unknown";
  for (const name of names.split(" ")) {
    it(`returns the type that ${name} is served with`, () => {
      const [served] = mediaHeaders(name)["Content-Type"].split(";");
      assert.equal(typeOfMedia(name), served);
    });
  }
});
