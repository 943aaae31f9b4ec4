import assert from "node:assert/strict";
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HttpError, SiteError } from "#kernel";
import { PurchaseFiles, noPurchases } from "../../../plugins/payments/purchases.js";
import { useFolder } from "../../support/folder.js";

describe("files of purchases", () => {
  const folder = useFolder();
  const open = (): PurchaseFiles => new PurchaseFiles(join(folder.path, "payments"));
  const checkout = { checkoutId: "cs_1", userId: "ann", product: "club", createdAt: 1 };

  it("do not exist before the first checkout", async () => {
    const files = open();
    assert.equal(await files.checkout("cs_1"), null);
    assert.equal(await files.userOf("cus_1"), null);
    assert.equal(await files.purchases("ann"), null);
    await files.sweep(0);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("are unchanged after a restart, for any ids, and readable by the owner only", async () => {
    const id = "../../x|\0__proto__";
    await open().addCheckout({ ...checkout, checkoutId: id });
    await open().setUserOf(id, id);
    const record = { ...noPurchases(id), customerId: id };
    await open().setPurchases(record);
    assert.deepEqual(await open().checkout(id), { ...checkout, checkoutId: id });
    assert.equal(await open().userOf(id), id);
    assert.deepEqual(await open().purchases(id), record);
    const users = join(folder.path, "payments", "users");
    const [name = ""] = await readdir(users);
    assert.match(name, /^[0-9a-f]{64}\.json$/);
    assert.equal((await stat(join(users, name))).mode & 0o077, 0);
  });

  it("of old checkouts are deleted, with leftovers of crashes; purchases stay", async () => {
    const files = open();
    await files.addCheckout(checkout);
    await files.addCheckout({ ...checkout, checkoutId: "cs_2" });
    await files.setPurchases(noPurchases("ann"));
    const checkouts = join(folder.path, "payments", "checkouts");
    const [first = ""] = await readdir(checkouts);
    await utimes(join(checkouts, first), 1_000, 1_000);
    await mkdir(join(folder.path, "payments", "customers"), { recursive: true });
    await writeFile(join(folder.path, "payments", "customers", ".tmp-0011223344556677"), "half");
    await files.sweep(2_000_000);
    assert.equal((await readdir(checkouts)).length, 1);
    assert.deepEqual(await readdir(join(folder.path, "payments", "customers")), []);
    assert.notEqual(await files.purchases("ann"), null);
  });

  it("are an error when malformed, not an empty record", async () => {
    const files = open();
    await files.setPurchases(noPurchases("ann"));
    const users = join(folder.path, "payments", "users");
    const [name = ""] = await readdir(users);
    for (const text of ["", "{", "[]", "null", '{"userId":"ann"}']) {
      await writeFile(join(users, name), text);
      await assert.rejects(files.purchases("ann"), (error: unknown) => {
        assert.ok(error instanceof HttpError && error.cause instanceof SiteError);
        assert.deepEqual([error.status, error.code], [503, "ERR_PAYMENTS_RECORD"]);
        assert.match(error.cause.message, /^payments\/users\/[0-9a-f]{64}\.json /);
        return true;
      });
    }
  });
});
