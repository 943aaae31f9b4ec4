import assert from "node:assert/strict";
import { panelStyle, passkeyScript } from "../../../plugins/admin/routes/panel.js";

describe("panelStyle and passkeyScript", () => {
  it("are named by their digest and load nothing external", () => {
    assert.match(panelStyle.name, /^admin\.[0-9a-f]{10}\.css$/);
    assert.match(passkeyScript.name, /^passkey-login\.[0-9a-f]{10}\.js$/);
    assert.doesNotMatch(panelStyle.text, /@import|url\(/);
    assert.doesNotMatch(passkeyScript.text, /\bimport\b(?!\.meta\b)|https?:/);
  });
});
