import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { reloadClient } from "#lib/http";

describe("the script of live reload", () => {
  it("reloads on the event, and when it reconnects to a restarted server", () => {
    const listeners = new Map<string, () => void>();
    const urls: string[] = [];
    let reloads = 0;
    class EventSource {
      constructor(url: string) {
        urls.push(url);
      }
      addEventListener(name: string, listener: () => void): void {
        listeners.set(name, listener);
      }
    }
    runInNewContext(reloadClient.script, {
      EventSource,
      location: { reload: () => (reloads += 1) },
    });
    assert.deepEqual(urls, [reloadClient.events]);
    listeners.get("open")?.();
    assert.equal(reloads, 0);
    listeners.get("reload")?.();
    assert.equal(reloads, 1);
    listeners.get("error")?.();
    listeners.get("open")?.();
    assert.equal(reloads, 2);
  });
});
