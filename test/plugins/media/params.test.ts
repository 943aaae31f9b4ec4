import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import check from "fast-check";
import { parseVariant } from "../../../plugins/media/params.js";

const sizes = [320, 640, 4096];
const parse = (search: string) => parseVariant(search, sizes);

function refused(search: string): string {
  try {
    parse(search);
  } catch (error) {
    assert.ok(error instanceof HttpError);
    assert.equal(error.status, 400);
    assert.equal(error.code, "ERR_MEDIA_PARAMETER");
    return error.message;
  }
  return assert.fail(`${search} was taken`);
}

describe("parseVariant", () => {
  it("returns null without width, height, quality or format", () => {
    for (const search of ["", "x=1", "fit=fill", "focal=1,2", "fit=nonsense", "W=320", "wide=1"]) {
      assert.equal(parse(search), null, search);
    }
  });

  it("accepts names and aliases", () => {
    const whole = parse("width=320&height=640&quality=7&format=webp&fit=inside&focal=10,20.5");
    assert.deepEqual(whole, parse("w=320&h=640&q=7&f=webp&fit=inside&focal=10,20.5"));
    assert.deepEqual(whole, {
      width: 320,
      height: 640,
      quality: 7,
      format: "webp",
      fit: "inside",
      focal: { x: 10, y: 20.5 },
    });
  });

  it("leaves missing values undefined", () => {
    const { quality, format, fit, focal, height } = parse("w=320") ?? assert.fail();
    assert.deepEqual([quality, format, fit, focal, height], [null, null, null, null, null]);
  });

  const sideValues = [
    "321",
    "320abc",
    "-320",
    "0",
    "3.2e2",
    "",
    "0x140",
    "99999",
    " 320",
    "+320",
    "0320",
    "3２0",
  ];
  for (const value of sideValues) {
    it(`rejects ${JSON.stringify(value)} as a width and as a height`, () => {
      for (const name of ["width", "w", "height", "h"]) {
        const search = `${name}=${encodeURIComponent(value)}`;
        assert.match(refused(search), name.startsWith("w") ? /^width: / : /^height: /);
      }
    });
  }

  it("rejects a size above 4096 even when it is listed", () => {
    assert.throws(() => parseVariant("w=5000", [5000]), { status: 400 });
  });

  it("rejects two values for one parameter, by name or alias, and lists", () => {
    for (const search of [
      "w=320&w=640",
      "width=320&w=640",
      "w[]=320",
      "h[a]=320",
      "q=1&quality=2",
    ]) {
      refused(search);
    }
    assert.deepEqual(parse("w=320&width=320"), parse("w=320"));
  });

  for (const search of ["q=0", "q=101", "q=abc", "q=1e1", "q=", "q=-1", "q=1.5"]) {
    it(`rejects ${search}`, () => assert.match(refused(search), /^quality: /));
  }

  for (const search of [
    "f=svg",
    "f=../x",
    "f=JPEG",
    "f=jpg",
    "f=gif",
    "f=",
    "f=__proto__",
    "f=constructor",
  ]) {
    it(`rejects ${search}`, () => assert.match(refused(search), /^format: /));
  }

  it("rejects an unknown fit of a processed image", () => {
    assert.match(refused("w=320&fit=x"), /^fit: /);
    assert.match(refused("w=320&fit=__proto__"), /^fit: /);
  });

  for (const focal of [
    "a,b",
    "999,1",
    "-1,5",
    "50",
    "",
    "1,2,3",
    "1e1,1",
    "50%25,30%25",
    "0x1,1",
    "Infinity,1",
  ]) {
    it(`treats focal=${focal} as the centre`, () => {
      assert.equal(parse(`w=320&h=320&focal=${focal}`)?.focal, null);
    });
  }

  it("lists the allowed values, and does not repeat a long value", () => {
    assert.match(refused("w=321"), /allowed: 320, 640, 4096/);
    assert.ok(refused(`f=${"x".repeat(5_000)}`).length < 200);
  });

  it("returns a variant, null or a 400 for any query", () => {
    const names = check.constantFrom(
      "w",
      "width",
      "h",
      "q",
      "f",
      "fit",
      "focal",
      "w[]",
      "__proto__",
      "x",
    );
    const pairs = check.array(check.tuple(names, check.string()), { maxLength: 6 });
    check.assert(
      check.property(pairs, (list) => {
        const search = new URLSearchParams(list).toString();
        try {
          const variant = parse(search);
          assert.ok(variant === null || variant.width === null || sizes.includes(variant.width));
        } catch (error) {
          assert.ok(error instanceof HttpError && error.status === 400);
        }
      }),
    );
  });
});
