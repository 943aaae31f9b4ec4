import assert from "node:assert/strict";
import fc from "fast-check";
import { HttpError } from "#kernel";
import { isTypedQuery, readQuery } from "#lib/query";

const values = (search: string) => readQuery(search).all.map((one) => one.values);

describe("readQuery", () => {
  it("reads conditions, groups, orders, fields and includes", () => {
    const query = readQuery(
      "filter[kind]=a&filter[kind]=b&filter[price][gte]=1&filter[or][0][x][lt]=5&filter[or][0][y]=z&filter[or][2][w][exists]=true&order=a:desc,b&fields=t,%20u&include=s",
    );
    assert.deepEqual(
      query.all.map(({ name, operator, values: all }) => [name, operator, ...all]),
      [
        ["kind", "is", "a", "b"],
        ["price", "gte", "1"],
      ],
    );
    assert.deepEqual(
      query.any.map((group) => group.map(({ name, operator }) => `${name} ${operator}`)),
      [["x lt", "y is"], ["w exists"]],
    );
    assert.deepEqual(query.order, [
      { name: "a", dir: "desc" },
      { name: "b", dir: null },
    ]);
    assert.deepEqual([query.fields, query.include], [["t", "u"], ["s"]]);
  });

  it("reads commas of in and nin, escaped ones, and repetition", () => {
    assert.deepEqual(values("filter[a][in]=x,y%5C,z&filter[a][in]=w"), [["x", "y,z", "w"]]);
    assert.deepEqual(values("filter[a][nin][]=x%5C%5C,y"), [["x\\", "y"]]);
    assert.deepEqual(values("filter[a][eq]=x,y"), [["x,y"]]);
  });

  it("finds a field that is named or", () => {
    assert.deepEqual(readQuery("filter[or]=x").all[0]?.name, "or");
    assert.deepEqual(readQuery("filter[or][in]=x").all[0]?.operator, "in");
  });

  it("tells queries from plain lists", () => {
    for (const search of ["", "order=date:desc", "limit=3&x=1"])
      assert.equal(isTypedQuery(readQuery(search)), false, search);
    for (const search of ["fields=a", "include=a", "filter[a]=1", "order=a,b", "cursor="])
      assert.equal(isTypedQuery(readQuery(search)), true, search);
  });

  const many = (count: number, one: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => one(at)).join("&");
  const hostile: readonly (readonly [search: string, parameter: string])[] = [
    ["filter=x", "filter"],
    ["filter[]=x", "filter"],
    ["filter[[a]]=x", "filter"],
    ["filter[a=x", "filter"],
    ["filter[a]x=1", "filter"],
    ["filter[a][b][c]=x", "filter"],
    [`filter${"[a]".repeat(2_000)}=x`, "filter"],
    ["filter[or][0]=x", "filter[or][0]"],
    ["filter[or][0][or][0][a]=x", "filter"],
    ["filter[a][gtee]=1", "filter[a][gtee]"],
    ["filter[a][__proto__]=1", "filter[a][__proto__]"],
    ["filter[a][constructor]=1", "filter[a][constructor]"],
    ["filter[a][eq]=1&filter[a][eq]=2", "filter[a][eq]"],
    [`filter[${"n".repeat(300)}]=1`, "filter"],
    [many(10_000, (at) => `filter[a${at}]=1`), "filter"],
    [many(10_000, () => "filter[a]=1"), "filter"],
    [`filter[a][in]=${",".repeat(10_000)}`, "filter"],
    ["fields=", "fields"],
    ["fields[]=a", "fields"],
    ["fields=a&fields=b", "fields"],
    [`fields=${many(60, (at) => `a${at}`).replaceAll("&", ",")}`, "fields"],
    ["include[x]=a", "include"],
    ["order=", "order"],
    ["order=a,,b", "order"],
    ["order=a:up", "order"],
    ["order=a:asc:desc", "order"],
    [`order=${"a,".repeat(20)}a`, "order"],
    ["cursor=a&cursor=b", "cursor"],
  ];
  for (const [search, parameter] of hostile) {
    it(`responds 400 naming ${parameter} to ${search.slice(0, 40)}`, () => {
      assert.throws(
        () => readQuery(search),
        (error) =>
          error instanceof HttpError &&
          error.status === 400 &&
          error.message.startsWith(`${parameter}: `) &&
          error.message.length < 400,
      );
    });
  }

  it("suggests the nearest operator", () => {
    assert.throws(() => readQuery("filter[a][startswith]=1"), /did you mean startsWith\?/);
  });

  it("returns a query or a 400 for any query string", () => {
    const part = fc.constantFrom(
      "filter",
      "[or]",
      "[0]",
      "[",
      "]",
      "[a]",
      "[in]",
      "[__proto__]",
      "=",
      "&",
      ",",
      "order",
      "fields",
      ":asc",
      "%",
      "cursor",
      "%00",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        try {
          readQuery(parts.join(""));
        } catch (error) {
          assert.ok(error instanceof HttpError && error.status === 400, String(error));
        }
      }),
    );
  });
});
