/* Generated from plugins/search/client by scripts/browser-search.mjs. */
/* oxlint-disable */
// plugins/search/client/utf8-length.js
function p(e) {
  return new TextEncoder().encode(e).length;
}

// plugins/search/query/score.ts
var T = { title: 3, taxonomy: 2, body: 1, exactTitle: 5 }, jt = 1.5, J = 1e3;
function q(e) {
  let t = new Map(Object.entries(e).map(([o, s]) => [o, s.weight])), n = (o, s) => Math.round((t.get(o) ?? s) * J), r = n("title", T.title);
  return {
    title: r,
    taxonomy: n("taxonomy", T.taxonomy),
    body: n("body", T.body),
    exactTitle: Math.round(r * T.exactTitle / T.title),
    field: (o) => n(o, 1),
    configured: Object.fromEntries([...t.keys()].map((o) => [o, n(o, 1)]))
  };
}
function kt(e, t) {
  return (t ? e * jt : e) / J;
}
function tt(e, t, n) {
  let r = t ? n.exactTitle : 0;
  for (let o of e) o && (r += Wt(o, n));
  return kt(r, e.length > 1 && e.every((o) => o !== null));
}
function Wt(e, t) {
  return Dt(e, t).reduce((n, r) => n + r.points, 0);
}
function Dt(e, t) {
  let n = Math.min(e.body, 5);
  return [
    { field: "title", count: e.title ? 1 : 0, points: e.title ? t.title : 0 },
    { field: "taxonomy", count: e.taxonomy, points: e.taxonomy * t.taxonomy },
    { field: "body", count: e.body, points: n * t.body },
    ...e.fields.map((o) => ({ field: o, count: 1, points: t.field(o) }))
  ].filter((o) => o.count > 0);
}

// plugins/search/query/terms.ts
var Ut = new RegExp(
  [
    "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670]"
  ].join(""),
  "gu"
), Xt = /[ßøæœłđðþıς]/gu, Gt = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ"
}, Kt = /[\s\p{Cc}\p{Cf}\p{Cs}]/gu, Qt = /^[^\p{L}\p{N}]+/u, zt = /^[\p{L}\p{N}\p{M}]$/u, Bt = /^[!-~]*$/, nt = /\S+/gu;
function w(e) {
  if (Bt.test(e)) return et(O(e.toLowerCase()));
  let t = e.normalize("NFKD").toLowerCase().replace(Ut, "").replace(Xt, (n) => Gt[n] ?? n).normalize("NFC").replace(Kt, "");
  return et(O(t));
}
function O(e) {
  if (W(e.charCodeAt(0)) && W(e.charCodeAt(e.length - 1))) return e;
  let t = e.replace(Qt, ""), n = t.length;
  for (; n > 0 && !$t(t, n); ) n -= 1;
  return n === t.length ? t : t.slice(0, n);
}
function $t(e, t) {
  let n = e.charCodeAt(t - 1);
  if (n < 128) return W(n);
  let r = n >= 56320 && n <= 57343;
  return zt.test(r ? e.slice(Math.max(0, t - 2), t) : e.charAt(t - 1));
}
function W(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}
function et(e) {
  if (e.length <= 64) return e;
  let t = e.slice(0, 64), n = t.charCodeAt(63);
  return n >= 55296 && n <= 56319 ? t.slice(0, -1) : t;
}
function E(e) {
  if (e.length !== 2) return e.length > 2;
  let t = e.charCodeAt(0);
  return t < 55296 || t > 56319;
}
function x(e) {
  let t = [];
  for (let n of e.match(nt) ?? []) {
    let r = w(n);
    E(r) && t.push(r);
  }
  return t;
}
function D(e) {
  return [...new Set(x(e.slice(0, 256)))].slice(0, 16);
}
function R(e) {
  let t = [];
  for (let n of e.match(nt) ?? []) {
    let r = w(n);
    r !== "" && t.push(r);
  }
  return t.join(" ");
}

// plugins/search/query/phrases.ts
var Yt = 5e3;
async function ot(e, { phrases: t, notPhrases: n, notTerms: r }) {
  let o = null;
  for (let i of t)
    o = await rt(e, i, o);
  let s = /* @__PURE__ */ new Set();
  for (let i of r) for (let a of await e.find([i])) s.add(a);
  for (let i of n)
    for (let a of await rt(e, i, o)) s.add(a);
  return { only: o, except: [...s] };
}
async function rt(e, t, n) {
  let r = [...new Set(x(t))], o = [new Set(n ?? await e.find(r))];
  if (n !== null || r.length > 1)
    for (let a of r) o.push(new Set(await e.find([a])));
  let s = [...o[0] ?? []].filter((a) => o.every((c) => c.has(a))), i = [];
  for (let a of s.slice(0, Yt))
    (await e.texts(a)).some((l) => Vt(l, t)) && i.push(a);
  return i;
}
function Vt(e, t) {
  return ` ${R(e)} `.includes(` ${t} `);
}

// plugins/search/query/select.ts
function st(e, t) {
  let n = qt(t), r = new Map(t.facets.map((i) => [i, /* @__PURE__ */ new Map()])), o = [];
  for (let i of e) {
    if (i.score === 0 && t.terms.length > 0) continue;
    let a = n.filter((c) => !c.passes(i.document));
    a.length === 0 && o.push(i), te(r, i.document, a);
  }
  o.sort(t.sort === "date" || t.terms.length === 0 ? Zt : Jt);
  let s = o.slice(t.offset, t.offset + t.limit);
  return {
    total: o.length,
    hits: s.map(({ document: i, score: a }) => ({ route: i.route, score: a })),
    facets: ee(r)
  };
}
function v(e, t) {
  let [n, r] = [e.date ?? "", t.date ?? ""];
  return n !== r ? n < r ? 1 : -1 : e.route < t.route ? -1 : e.route > t.route ? 1 : 0;
}
function Zt(e, t) {
  return v(e.document, t.document);
}
function Jt(e, t) {
  return t.score - e.score || v(e.document, t.document);
}
function qt(e) {
  let { template: t, from: n, to: r, taxonomy: o, facets: s } = e.filters, i = new Set(e.access), a = [{ facet: null, passes: (l) => i.has(l.access) }], c = (l, u = null) => {
    a.push({ facet: u, passes: l });
  };
  if (e.routes !== void 0) {
    let l = e.routes.only === null ? null : new Set(e.routes.only), u = new Set(e.routes.except);
    c(({ route: d }) => l?.has(d) !== !1 && !u.has(d));
  }
  e.lang !== null && c((l) => l.lang === e.lang || l.lang === ""), t !== void 0 && c((l) => l.template === t), n !== void 0 && c((l) => l.date !== null && l.date >= n), r !== void 0 && c((l) => l.date !== null && l.date <= r);
  for (let [l, u] of Object.entries(o))
    c((d) => U(d.taxonomy, l).some((f) => u.includes(f)));
  for (let [l, u] of Object.entries(s))
    c((d) => U(d.facets, l).some((f) => u.includes(f)), l);
  return a;
}
function te(e, t, n) {
  let r = n[0];
  if (!(n.length > 1 || r && r.facet === null)) {
    for (let [o, s] of e)
      if (!(r && r.facet !== o))
        for (let i of new Set(U(t.facets, o)))
          s.set(i, (s.get(i) ?? 0) + 1);
  }
}
function U(e, t) {
  return Object.hasOwn(e, t) ? e[t] ?? [] : [];
}
function ee(e) {
  return Object.fromEntries(
    [...e].map(([t, n]) => [t, ne([...n])])
  );
}
function ne(e) {
  return e.sort((t, n) => n[1] - t[1] || (t[0] < n[0] ? -1 : 1)), Object.fromEntries(e);
}

// plugins/search/query/syntax.ts
var it = 8, oe = 16, se = /(?<!\S)(?<not>-?)"(?<phrase>[^"]*)"\S*|\S+/gu, ie = /[“”„‟«»]/gu, ae = /^-[\p{L}\p{N}]/u;
function C(e, t) {
  let n = e.slice(0, 256), r = { text: n, terms: D(n), extended: null };
  return t === "plain" ? r : ce(n) ?? r;
}
var X = class {
  wanted = [];
  phrases = /* @__PURE__ */ new Set();
  notPhrases = /* @__PURE__ */ new Set();
  notTerms = /* @__PURE__ */ new Set();
  addPhrase(t, n) {
    n || this.wanted.push(t), x(t).length !== 0 && (n ? this.notPhrases : this.phrases).add(R(t));
  }
  addWord(t) {
    ae.test(t) ? E(w(t)) && this.notTerms.add(w(t)) : this.wanted.push(t);
  }
  get isPlain() {
    return this.phrases.size + this.notPhrases.size + this.notTerms.size === 0;
  }
};
function ce(e) {
  let t = new X();
  for (let { 0: r, groups: o } of e.replace(ie, '"').matchAll(se)) {
    let s = o?.phrase;
    s === void 0 ? t.addWord(r) : t.addPhrase(s, o?.not === "-");
  }
  if (t.isPlain) return null;
  let n = t.wanted.join(" ");
  return {
    text: n,
    terms: D(n),
    extended: {
      typed: e,
      phrases: [...t.phrases].slice(0, it),
      notPhrases: [...t.notPhrases].slice(0, it),
      notTerms: [...t.notTerms].slice(0, oe)
    }
  };
}

// plugins/search/query/find-matches.ts
var at = 1e5, N = /[^\0-\x7f]/g, lt = /\s/u;
function F(e, t) {
  if (t.length === 0) return [];
  let n = e.length > at ? e.slice(0, at) : e, r = n.toLowerCase(), o = [], s = r.length === n.length ? le : ue;
  t.forEach((a, c) => s({ text: n, lower: r }, { term: a, at: c }, o));
  let i = p(n) === n.length;
  return i || de(n, t, o), i && t.length === 1 ? o : me(o);
}
function le({ text: e, lower: t }, { term: n, at: r }, o) {
  let s = t.indexOf(n);
  for (; s >= 0; ) {
    let i = s + 1;
    if (he(e, s)) {
      let a = ut(e, s);
      G(o, e, { start: s, end: a, term: r }), i = Math.max(i, a);
    }
    s = t.indexOf(n, i);
  }
}
function ue({ text: e }, { term: t, at: n }, r) {
  for (let { index: o, 0: s } of e.matchAll(/\S+/gu)) {
    let i = { start: o, end: o + s.length, term: n };
    w(s).startsWith(t) && G(r, e, i);
  }
}
function de(e, t, n) {
  let r = new Set(t.map((s) => s.charCodeAt(0)));
  N.lastIndex = 0;
  let o = 0;
  for (let s = N.exec(e); s; s = N.exec(e)) {
    if (s.index < o || lt.test(s[0])) continue;
    let [i, a] = [pe(e, s.index), ut(e, s.index)];
    if (o = a, N.lastIndex = Math.max(o, s.index + 1), !fe(e, { start: i, end: a }, r)) continue;
    let c = w(e.slice(i, a)), l = E(c) ? t.findIndex((u) => c.startsWith(u)) : -1;
    l >= 0 && G(n, e, { start: i, end: a, term: l });
  }
}
function fe(e, { start: t, end: n }, r) {
  let o = t;
  for (; o < n && dt(e.charCodeAt(o)); ) o += 1;
  let s = e.charCodeAt(o);
  return !K(s) || r.has(s) || r.has(s | 32);
}
function G(e, t, n) {
  if (ct(t, n.start) && ct(t, n.end - 1)) {
    e.push(n);
    return;
  }
  let r = t.slice(n.start, n.end), o = O(r), s = n.start + r.indexOf(o);
  o !== "" && e.push({ start: s, end: s + o.length, term: n.term });
}
function me(e) {
  e.sort((r, o) => r.start - o.start || r.term - o.term);
  let [t, n] = [0, -1];
  for (let r of e)
    r.start !== n && (e[t++] = r), n = r.start;
  return e.length = t, e;
}
function he(e, t) {
  let n = t - 1;
  for (; n >= 0 && dt(e.charCodeAt(n)); ) n -= 1;
  return n < 0 || M(e, n);
}
function pe(e, t) {
  let n = t;
  for (; n > 0 && !M(e, n - 1); ) n -= 1;
  return n;
}
function ut(e, t) {
  let n = t;
  for (; n < e.length && !M(e, n); ) n += 1;
  return n;
}
function M(e, t) {
  let n = e.charCodeAt(t);
  return n < 128 ? n === 32 || n >= 9 && n <= 13 : lt.test(e.charAt(t));
}
function dt(e) {
  return e > 32 && e <= 126 && !K(e);
}
function ct(e, t) {
  return K(e.charCodeAt(t));
}
function K(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}

// plugins/search/query/excerpt.ts
var ge = 20, ft = 40, ye = /[&<>"']/gu, mt = /[&<>"']|\s{2,}|[^\S ]/u, we = new RegExp(mt, "gu"), ht = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
};
function be(e) {
  return e.replace(ye, (t) => ht[t] ?? t);
}
function L(e, t) {
  let n = F(e, t.terms), r = Me(e, xe(n, t.length), t.length), o = t.highlight ? n.filter((a) => a.start >= r.start && a.end <= r.end) : [], s = (r.start > 0 ? "…" : "") + Te(e, r, o) + (r.end < e.length ? "…" : ""), i = /* @__PURE__ */ new Set();
  for (let a of n) {
    if (i.size === ge) break;
    i.add(e.slice(a.start, a.end));
  }
  return { html: s, highlights: Array.from(i, be) };
}
function xe(e, t) {
  let [n, r, o, s, i] = [0, -1, 0, 0, 0], a = [];
  for (let c = 0; c < e.length; c++) {
    let { term: l, end: u } = e[c];
    for ((a[l] = (a[l] ?? 0) + 1) === 1 && (i += 1); s < c && u - e[s].start > t; ) {
      let f = e[s++].term;
      (a[f] = a[f] - 1) === 0 && (i -= 1);
    }
    let d = i * e.length + (c - s + 1);
    d > o && ([n, r, o] = [s, c, d]);
  }
  return Se(e, { first: n, last: r });
}
function Se(e, t) {
  let [n, r] = [e[t.first], e[t.last]];
  return n && r ? { first: n.start, last: r.end } : null;
}
function Me(e, t, n) {
  if (e.length <= n) return { start: 0, end: e.length };
  let r = t ? Math.max(0, n - (t.last - t.first)) : 0, o = t ? Math.max(0, t.first - Math.floor(r / 2)) : 0, s = Math.min(o, e.length - n), i = s === 0 ? 0 : Re(e, s, t ? t.first : s), a = Math.min(e.length, i + n);
  return { start: i, end: a === e.length ? a : Ae(e, a, t ? t.last : i) };
}
function Re(e, t, n) {
  if (M(e, t - 1)) return t;
  for (let r = t; r < Math.min(n, t + ft); r++)
    if (M(e, r)) return r + 1;
  return pt(e, t) ? t + 1 : t;
}
function Ae(e, t, n) {
  if (M(e, t)) return t;
  for (let r = t - 1; r >= Math.max(n, t - ft); r--)
    if (M(e, r)) return r;
  return pt(e, t) ? t - 1 : t;
}
function pt(e, t) {
  let n = e.charCodeAt(t);
  return n >= 56320 && n <= 57343;
}
function Te(e, t, n) {
  let r = e.slice(t.start, t.end), o = mt.test(r) ? Ce : Ee, s = "", i = 0;
  for (let a of n) {
    let [c, l] = [a.start - t.start, a.end - t.start];
    s += `${o(r.slice(i, c))}<mark>${o(r.slice(c, l))}</mark>`, i = l;
  }
  return (s + o(r.slice(i))).trim();
}
function Ee(e) {
  return e;
}
function Ce(e) {
  return e.replace(we, (t) => ht[t] ?? " ");
}

// plugins/search/client/client-results.ts
function Q(e, { offset: t, limit: n }) {
  let r = [...e].map(([o, s]) => ({ id: o, score: s })).filter(({ score: o }) => o > 0).sort((o, s) => s.score - o.score || o.id - s.id);
  return { total: r.length, facets: {}, hits: r.slice(t, t + n) };
}
function* gt(e, t, n) {
  for (let [r, o] of t) {
    let s = e.get(r) ?? 0;
    if (s === 0 && !n) continue;
    let [i, a, c, l, u, d] = o;
    yield { score: s, document: { ...{ route: i, lang: a, template: c, date: l, taxonomy: u, facets: d }, title: "", fields: {}, access: "" } };
  }
}
function z(e, t) {
  let { head: n, terms: r, score: o } = t, { text: s, ...i } = e ?? Pe, { highlight: a, excerptLength: c } = n, l = L(s, { terms: r, length: c, highlight: a }), u = { ...i, score: o, excerpt: l.html };
  return a ? { ...u, highlights: l.highlights } : u;
}
var Pe = {
  route: "/",
  title: "",
  template: "",
  date: "",
  taxonomy: {},
  text: ""
};
function B({ template: e, from: t, to: n, taxonomy: r, facets: o }) {
  return [e, t, n].some((i) => i !== void 0) || Object.keys(r).length + Object.keys(o).length > 0;
}

// plugins/search/similar/edit-distance.ts
function yt(e) {
  return e.length < 4 ? 0 : e.length < 7 ? 1 : 2;
}
var I = class {
  #t;
  #e;
  #r;
  /** Rows of the table of distances: the last but one, the last, and the current one. */
  #n;
  constructor(t, n) {
    let r = t.length + n + 2;
    this.#t = t, this.#e = n, this.#r = t.length >= 5, this.#n = [new Uint16Array(r), new Uint16Array(r), new Uint16Array(r)];
  }
  /** As `editDistance`. */
  to(t) {
    let [n, r] = [this.#t.length, this.#e];
    if (t.length < n - r || !this.#r && t.length > n + r) return null;
    let o = Math.min(t.length, n + r);
    if (!this.#s(t, o)) return null;
    let [, s] = this.#n, i = r + 1, a = this.#r ? Math.max(0, n - r) : t.length;
    for (let c = a; c <= o; c++) i = Math.min(i, s[c]);
    return i <= r ? i : null;
  }
  /**
   * Computes the last row; false when all distances exceed the maximum before. Only cells near the
   * diagonal count: others are more edits away than that.
   */
  #s(t, n) {
    let [r, o] = [this.#t, this.#e], [, s] = this.#n;
    for (let i = 0; i <= n; i++) s[i] = i;
    for (let i = 1; i <= r.length; i++) {
      let [a, c, l] = this.#n, [u, d] = [Math.max(1, i - o), Math.min(n, i + o)], f = r.charCodeAt(i - 1), h = i > 1 ? r.charCodeAt(i - 2) : -1;
      l[u - 1] = u === 1 ? i : o + 1;
      let y = l[u - 1];
      for (let g = u; g <= d; g++) {
        let S = t.charCodeAt(g - 1), b = c[g - 1] + (f === S ? 0 : 1), Y = l[g - 1] + 1;
        Y < b && (b = Y);
        let V = g < i + o ? c[g] + 1 : o + 1;
        if (V < b && (b = V), g > 1 && S === h && f === t.charCodeAt(g - 2)) {
          let Z = a[g - 2] + 1;
          Z < b && (b = Z);
        }
        l[g] = b, b < y && (y = b);
      }
      if (y > o) return !1;
      this.#n = [c, l, a];
    }
    return !0;
  }
};

// plugins/search/similar/alternatives.ts
var Oe = 3, ve = 4, Ne = 3, $ = 3, wt = 64;
async function bt(e, t) {
  let n = yt(e);
  if (!t.typo || n === 0) return [];
  let [r = ""] = e, o = { prefix: r, shortest: e.length - n, longest: wt }, s = [], i = new I(e, n);
  for (let a of await t.words(o)) {
    let c = i.to(a);
    c !== null && c > 0 && s.push({ word: a, distance: c });
  }
  return s.sort(
    (a, c) => a.distance - c.distance || a.word.length - c.word.length || (a.word < c.word ? -1 : +(a.word > c.word))
  ), s.slice(0, Oe).map(({ word: a }) => ({ term: e, words: [a], matched: "typo" }));
}
function xt(e, { synonyms: t }) {
  return t.of(e).slice(0, ve).map((r) => ({ term: e, words: r, matched: "synonym" }));
}
async function St(e, t) {
  let { stem: n } = t;
  if (n === null || e.length < $) return [];
  let r = e.slice(0, $), o = n(e), a = (await t.words({ prefix: r, shortest: $, longest: wt })).filter((u) => !u.startsWith(e) && n(u) === o).sort((u, d) => u.length - d.length || (u < d ? -1 : 1));
  return a.filter(
    (u, d) => !a.slice(0, d).some((f) => u.startsWith(f))
  ).slice(0, Ne).map((u) => ({ term: e, words: [u], matched: "stem" }));
}

// plugins/search/similar/find-similar.ts
var Fe = 4, Le = 8, Mt = 500, Ie = /(?!-)[^\s"“”„]+/gu;
async function Rt(e, t) {
  let n = /* @__PURE__ */ new Map(), r = /* @__PURE__ */ new Map();
  for (let s of await _e(e, t)) {
    let i = He(t.terms, s, e), a = await je(e, s, i), { term: c, words: l, matched: u } = s;
    a.length > 0 && u === "typo" && !r.has(c) && r.set(c, l.join(" "));
    for (let { route: d, score: f } of a)
      f > (n.get(d)?.score ?? 0) && !t.shown.has(d) && n.set(d, { route: d, score: f, matched: u, terms: i });
  }
  return { hits: [...n.values()].sort((s, i) => i.score - s.score || e.compare(s.route, i.route)).slice(0, t.limit), didYouMean: ke(t.text, r) };
}
async function _e(e, { terms: t, total: n }) {
  let r = [], o = t.filter((s) => !e.synonyms.isStop(s)).slice(0, Fe);
  for (let s of o)
    r.push(...xt(s, e), ...await St(s, e)), n > 0 && (t.length === 1 || (await e.find([s], 1)).total > 0) || r.push(...await bt(s, e));
  return r.slice(0, Le);
}
function He(e, { term: t, words: n }, { synonyms: r }) {
  let o = e.flatMap((s) => s === t ? n : r.isStop(s) ? [] : [s]);
  return [...new Set(o)];
}
async function je(e, { words: t }, n) {
  let { hits: r } = await e.find(n, Mt);
  if (r.length === 0 || n.length === 1) return r;
  let s = (await Promise.all(t.map((i) => e.find([i], Mt)))).map((i) => new Set(i.hits.map(({ route: a }) => a)));
  return r.filter(({ route: i }) => s.every((a) => a.has(i)));
}
function ke(e, t) {
  return t.size === 0 ? null : e.trim().replace(Ie, (n) => t.get(w(n)) ?? n);
}

// plugins/search/similar/synonyms.ts
var _ = class {
  #t = /* @__PURE__ */ new Map();
  #e = /* @__PURE__ */ new Set();
  constructor(t) {
    for (let { groups: n, one_way: r, stop: o } of t) {
      for (let s of n) this.#r(s);
      for (let [s, i] of Object.entries(r))
        for (let a of i) this.#n(s, a);
      for (let s of o) for (let i of x(s)) this.#e.add(i);
    }
  }
  /** The synonyms of a term; one of several words is a list of terms. */
  of(t) {
    return this.#t.get(t) ?? [];
  }
  isStop(t) {
    return this.#e.has(t);
  }
  #r(t) {
    for (let n of t) for (let r of t) n !== r && this.#n(n, r);
  }
  /** Only single words are looked up; what they lead to may have several. */
  #n(t, n) {
    let [r, ...o] = x(t), s = x(n);
    if (r === void 0 || o.length > 0 || s.length === 0) return;
    let i = this.#t.get(r) ?? [];
    i.some((a) => a.join(" ") === s.join(" ")) || i.push(s), this.#t.set(r, i);
  }
};

// plugins/search/client/client-similar.ts
var We = 10;
async function At(e, t, n) {
  if (t.terms.length === 0 || t.offset > 0) return { similar: [], didYouMean: null };
  let { typo: r, lists: o, main: s } = e.head.similar, i = o[t.lang ?? s] ?? o[""] ?? [], a = (u) => ({ route: u, date: e.dates.get(u) ?? null }), { hits: c, didYouMean: l } = await Rt(
    {
      typo: r,
      stem: null,
      synonyms: new _(i),
      find: (u, d) => e.find(u, d),
      words: (u) => e.words(u),
      compare: (u, d) => v(a(u), a(d))
    },
    {
      text: t.text,
      terms: t.terms,
      total: n.total,
      shown: new Set(n.items.map(({ route: u }) => u)),
      limit: Math.min(t.limit, We)
    }
  );
  return { similar: await Promise.all(c.map((u) => e.item(u))), didYouMean: l };
}

// plugins/search/client/matches.ts
function Ct(e, t, n) {
  for (let [r, o, s, i, a] of t.terms)
    if (r.startsWith(n)) {
      Et(o, (c, l) => {
        P(e, c).body += l;
      }), Tt(s, (c) => {
        P(e, c).title = !0;
      }), Et(i, (c, l) => {
        P(e, c).values.add(l);
      });
      for (let [c, l] of a)
        Tt(l, (u) => {
          P(e, u).fields.add(c);
        });
    }
}
function Pt(e, { id: t, terms: n }, r) {
  for (let [o, s, i, a, c] of n) {
    if (!o.startsWith(r)) continue;
    let l = P(e, t);
    l.body += s, l.title ||= i === 1, H(l.values, a), H(l.fields, c);
  }
}
function P(e, t) {
  let n = e.get(t);
  if (n !== void 0) return n;
  let r = { title: !1, values: /* @__PURE__ */ new Set(), body: 0, fields: /* @__PURE__ */ new Set() };
  return e.set(t, r), r;
}
function Ot(e, t) {
  if (e === void 0) return null;
  let { title: n, values: r, body: o, fields: s } = e;
  return { title: n, taxonomy: r.size, body: o, fields: [...s].map((i) => t[i] ?? "") };
}
function H(e, t) {
  for (let n of t) e.add(n);
}
function Tt(e, t) {
  let n = 0;
  for (let r of e) t(n += r);
}
function Et(e, t) {
  let n = 0;
  for (let r = 0; r + 1 < e.length; r += 2)
    n += e[r] ?? 0, t(n, e[r + 1] ?? 0);
}

// plugins/search/client/client-search.ts
var j = class {
  #t;
  #e = /* @__PURE__ */ new Map();
  constructor(t) {
    this.#t = t;
  }
  /** The head of the index: page size, facets. */
  head() {
    return this.#o("index.json");
  }
  async search(t) {
    let n = await this.head(), r = C(t.text, n.syntax), { terms: o } = r, s = o.length === 0 && B(t.filters);
    if (o.length === 0 && !s)
      return { total: 0, items: [], facets: {}, hasMore: !1 };
    let i = await this.#r(n, r, await this.#a(n, r.text, o)), c = !B(t.filters) && t.sort === "relevance" && t.lang === null && n.facets.length === 0 ? Q(i, t) : await this.#s(n, i, { ...t, terms: o, isBrowsing: s }), l = await Promise.all(
      c.hits.map(
        async ({ id: f, score: h }) => z(await this.#c(n, f), { head: n, terms: o, score: h })
      )
    ), { total: u, facets: d } = c;
    return { total: u, items: l, facets: d, hasMore: t.offset + t.limit < u };
  }
  /** Similar hits beside the exact ones of the same request, as on the server; without stems. */
  async similar(t, n) {
    let r = await this.head(), o = await this.#u(r), s = new Map([...o].map(([c, l]) => [l[0], c])), i = new Map([...o.values()].map(([c, , , l]) => [c, l])), a = C(t.text, r.syntax);
    return At(
      {
        head: r,
        dates: i,
        words: (c) => this.#n(r, c),
        find: async (c, l) => {
          let u = await this.#a(r, c.join(" "), c), d = await this.#r(r, a, u), f = { ...t, terms: c, limit: l, isBrowsing: !1 }, h = await this.#s(r, d, { ...f, sort: "relevance" }), y = h.hits.map(({ id: g, score: S }) => ({
            route: o.get(g)?.[0] ?? "",
            score: S
          }));
          return { total: h.total, hits: y };
        },
        item: async ({ route: c, score: l, terms: u, matched: d }) => {
          let f = await this.#c(r, s.get(c) ?? -1);
          return { ...z(f, { head: r, terms: u, score: l }), matched: d };
        }
      },
      { ...t, text: a.extended?.typed ?? a.text, terms: a.terms },
      n
    );
  }
  /** The scores of the documents that the phrases and exclusions of a query leave. */
  async #r(t, { extended: n }, r) {
    if (n === null) return r;
    let o = async (u) => {
      let d = await this.#a(t, u.join(" "), u);
      return Q(d, { offset: 0, limit: d.size }).hits.map(({ id: f }) => f);
    }, s = async (u) => {
      let d = await this.#c(t, u);
      return d === void 0 ? [] : [d.title, d.text, ...Object.values(d.taxonomy).flat()];
    }, { only: i, except: a } = await ot({ find: o, texts: s }, n), [c, l] = [i === null ? null : new Set(i), new Set(a)];
    return new Map([...r].filter(([u]) => c?.has(u) !== !1 && !l.has(u)));
  }
  async #n(t, { prefix: n, shortest: r, longest: o }) {
    let s = await this.#l(t, n), i = await this.#i(t), a = [...s, ...i].flatMap(({ terms: l }) => l.map(([u]) => u)), c = (l) => l.startsWith(n) && l.length >= r && l.length <= o;
    return [...new Set(a.filter(c))];
  }
  /** Applies the server's rules for filters and facets, which need every document. */
  async #s(t, n, r) {
    let o = await this.#u(t), { total: s, hits: i, facets: a } = st(
      gt(n, o, r.isBrowsing),
      { ...r, access: [""], facets: t.facets }
    ), c = new Map([...o].map(([u, d]) => [d[0], u])), l = i.map(({ route: u, score: d }) => ({ id: c.get(u) ?? -1, score: d }));
    return { total: s, facets: a ?? {}, hits: l };
  }
  async #a(t, n, r) {
    let o = q(t.weights), s = await this.#i(t), i = new Set(t.removed), a = R(n), c = /* @__PURE__ */ new Set(), l = await Promise.all(
      r.map(async (d) => {
        let f = /* @__PURE__ */ new Map();
        for (let h of await this.#l(t, d)) {
          Ct(f, h, d);
          for (let [y, g] of h.titles) y === a && H(c, g);
        }
        for (let h of i) f.delete(h);
        for (let h of s) Pt(f, h, d);
        return f;
      })
    );
    for (let d of i) c.delete(d);
    for (let { id: d, title: f } of s) f === a && c.add(d);
    let u = /* @__PURE__ */ new Map();
    for (let d of new Set(l.flatMap((f) => [...f.keys()]))) {
      let f = l.map((h) => Ot(h.get(d), t.fields));
      u.set(d, tt(f, c.has(d), o));
    }
    return u;
  }
  /** Returns the files with the words that start with a term. */
  async #l({ terms: t }, n) {
    let r = t.flatMap(([o, s], i) => {
      let a = t[i + 1]?.[0];
      return (o <= n || o.startsWith(n)) && (a === void 0 || a > n) ? [s] : [];
    });
    return Promise.all(r.map((o) => this.#o(o)));
  }
  async #u(t) {
    let { rows: n } = await this.#o(t.rows), r = new Map(n.map((o, s) => [s, o]));
    for (let o of t.removed) r.delete(o);
    for (let { id: o, row: s } of await this.#i(t)) r.set(o, s);
    return r;
  }
  async #i({ late: t }) {
    return t === null ? [] : this.#o(t);
  }
  async #c(t, n) {
    let r = (await this.#i(t)).find((a) => a.id === n);
    if (r !== void 0) return r.shown;
    let o = t.shown.findLastIndex(([a]) => a <= n), [s, i] = t.shown[o] ?? [0, ""];
    return (await this.#o(i))[n - s];
  }
  /** The export writes this file beside the script, in the shape that `format.ts` defines. */
  async #o(t) {
    let n = this.#e.get(t) ?? this.#t(t);
    this.#e.set(t, n);
    try {
      return await n;
    } catch (r) {
      throw this.#e.delete(t), r;
    }
  }
};

// plugins/search/client/page-sections.js
var De = 3, Ue = 3, Xe = 90, vt = /* @__PURE__ */ new Map();
async function Nt(e, t, n) {
  let r = await Promise.all(
    e.slice(0, De).map(async ({ route: o }) => [o, ze(await Ge(o, n), t)])
  );
  return Object.fromEntries(r.filter(([, o]) => o.length > 0));
}
function Ge(e, t) {
  let n = vt.get(e) ?? Ke(new URL(e.replace(/^\/+/, ""), t));
  return vt.set(e, n), n;
}
async function Ke(e) {
  let t = await fetch(e).catch(() => null);
  return t?.ok !== !0 ? [] : [...new DOMParser().parseFromString(await t.text(), "text/html").querySelector("main")?.querySelectorAll("h2[id], h3[id], h4[id]") ?? []].map((o) => ({
    id: o.id,
    title: o.textContent.trim(),
    text: Qe(o)
  }));
}
function Qe(e) {
  let t = "";
  for (let n = e.nextElementSibling; n !== null && !/^H[1-6]$/.test(n.nodeName); n = n.nextElementSibling)
    t += ` ${n.textContent}`;
  return t.replace(/\s+/g, " ").trim();
}
function ze(e, t) {
  let n = (r) => new Set(F(r, t).map(({ term: o }) => o)).size;
  return e.map(({ id: r, title: o, text: s }, i) => {
    let a = L(s, { terms: t, length: Xe, highlight: !0 }).html;
    return { worth: n(o) * 2 + n(s), at: i, hit: { id: r, title: o, excerpt: a } };
  }).filter(({ worth: r }) => r > 0).sort((r, o) => o.worth - r.worth || r.at - o.at).slice(0, Ue).map(({ hit: r }) => r);
}

// plugins/search/client/read-request.js
function Lt(e, t) {
  let n = t.facets.includes("subtype"), r = Be(e, t.facets), o = e.get("type") ?? "";
  return n && o !== "" && o !== "all" && (r.subtype = [o]), {
    text: e.get("q") ?? "",
    filters: { taxonomy: $e(e), facets: r },
    sort: n && e.get("sort") === "date" ? "date" : "relevance",
    limit: Math.min(500, Ft(e.get("limit"), 1) ?? t.pageSize),
    offset: Ft(e.get("offset"), 0) ?? 0
  };
}
function Ft(e, t) {
  return /^\d{1,7}$/.test(e ?? "") && Number(e) >= t ? Number(e) : null;
}
function Be(e, t) {
  let n = t.map((r) => {
    let o = [...e.getAll(`facet[${r}]`), ...e.getAll(`facet[${r}][]`)];
    return [r, o.filter((s) => s !== "")];
  });
  return Object.fromEntries(n.filter(([, r]) => r.length > 0));
}
function $e(e) {
  let t = {};
  for (let [n, r] of e) {
    let o = /^taxonomy\[([^\]]+)\](?:\[\])?$/.exec(n)?.[1];
    o !== void 0 && r !== "" && (t[o] = [...t[o] ?? [], r]);
  }
  return t;
}

// plugins/search/client/search-page.js
var It = new URL("./", import.meta.url), _t = new URL("../../", It), A = new j(async (e) => {
  let t = await fetch(new URL(e, It));
  if (!t.ok) throw new Error(`${e}: ${t.status}`);
  return t.json();
});
function m(e, t = {}, ...n) {
  let r = Object.assign(document.createElement(e), t);
  return r.append(...n), r;
}
function Ye(e) {
  let t = document.createDocumentFragment();
  for (let n of new DOMParser().parseFromString(e, "text/html").body.childNodes) {
    let r = n.textContent ?? "";
    t.append(n.nodeName === "MARK" ? m("mark", { textContent: r }) : r);
  }
  return t;
}
function Ht(e) {
  let t = new URL(e.route.replace(/^\/+/, ""), _t).href, n = m("p", { className: "result-place" }, new URL(t).pathname);
  if (e.date !== "") {
    let r = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
      dateStyle: "medium",
      timeZone: "UTC"
    });
    n.append(m("time", { dateTime: e.date }, r.format(new Date(e.date))));
  }
  return m(
    "li",
    { className: "result search-result" },
    m("h2", {}, m("a", { href: t, textContent: e.title })),
    n,
    m("p", {}, Ye(e.excerpt))
  );
}
function Ve() {
  let e = document.querySelector("main") ?? document.body, t = (o, s, i) => e.querySelector(`[data-search-${o}]`) ?? e.querySelector(s) ?? i(), n = t("results", "ol.results, #search-results", () => {
    let o = m("ol", { className: "results" });
    return e.append(o), o;
  }), r = t("count", ".search-count, #search-status", () => {
    let o = m("p", { className: "search-count" });
    return n.before(o), o;
  });
  return r.setAttribute("role", "status"), { list: n, count: r };
}
function Ze(e, t, { dataset: n }) {
  let [r, o] = e === 0 ? ["none", "Nothing found for “{q}”"] : e === 1 ? ["one", "1 result for “{q}”"] : ["many", "{n} results for “{q}”"];
  return (n[r] ?? o).replace("{n}", String(e)).replace("{q}", () => t);
}
function k(e, t, n) {
  let r = new URLSearchParams(e);
  return t(r), m("a", { ...n, href: `?${r}` });
}
function Je(e, t, { dataset: n }) {
  let r = Object.entries(e).filter(([, s]) => Object.keys(s).length > 0), o = m("nav", { className: "facets", ariaLabel: n.narrow ?? "Narrow down" });
  for (let [s, i] of r) {
    let a = m("ul");
    for (let [c, l] of Object.entries(i)) {
      let u = `facet[${s}]`, d = t.getAll(u).includes(c), h = k(t, (y) => {
        let g = y.getAll(u).filter((S) => S !== c);
        y.delete(u), y.delete("offset");
        for (let S of d ? g : [...g, c]) y.append(u, S);
      }, { rel: "nofollow" });
      d && h.setAttribute("aria-current", "true"), h.append(
        m("span", { textContent: c }),
        " ",
        m("span", { className: "count", textContent: String(l) })
      ), a.append(m("li", {}, h));
    }
    o.append(
      m("section", {}, m("h2", { textContent: s.split(".").at(-1) }), a)
    );
  }
  return r.length === 0 ? null : o;
}
function qe(e, { hasMore: t, params: n, dataset: r }) {
  if (e.offset === 0 && !t) return null;
  let o = (i) => (a) => {
    i === 0 ? a.delete("offset") : a.set("offset", String(i));
  }, s = Math.max(0, e.offset - e.limit);
  return m(
    "nav",
    { className: "pagination", ariaLabel: r.pages ?? "Pages" },
    e.offset > 0 ? k(n, o(s), { rel: "prev", textContent: r.previous ?? "Previous" }) : m("span"),
    t ? k(n, o(e.offset + e.limit), {
      rel: "next",
      textContent: r.next ?? "Next"
    }) : m("span")
  );
}
function tn(e, t, { params: n, list: r, count: o }) {
  r.replaceChildren(...t.items.map(Ht)), "start" in r && (r.start = e.offset + 1), o.textContent = e.text === "" ? "" : Ze(t.total, e.text, r);
  let s = e.text === "" ? null : Je(t.facets, n, r), i = r.closest(".search-body");
  s !== null && (i ?? r.parentElement).prepend(s), i?.classList.toggle("has-facets", s !== null);
  let a = qe(e, { hasMore: t.hasMore, params: n, dataset: r.dataset });
  a !== null && r.after(a);
}
function en({ similar: e, didYouMean: t }, { list: n, params: r }) {
  let { dataset: o } = n;
  if (t !== null) {
    let c = o.meant ?? "Did you mean:", l = (u) => u.set("q", t);
    n.before(
      m(
        "p",
        { className: "search-meant" },
        `${c} `,
        k(r, l, { textContent: t })
      )
    );
  }
  if (e.length === 0) return;
  let s = m("h2", {
    textContent: o.similar ?? "Similar words",
    id: "search-similar"
  }), i = m("ol", { className: "results" }, ...e.map(Ht)), a = m("section", { className: "search-similar" }, s, i);
  a.setAttribute("aria-labelledby", "search-similar"), n.parentElement.append(a);
}
async function nn() {
  let e = new URLSearchParams(location.search), { list: t, count: n } = Ve(), r = document.querySelector('main input[name="q"]');
  r && (r.value = e.get("q") ?? "");
  try {
    let o = t.dataset.lang ?? null, s = { ...Lt(e, await A.head()), lang: o }, i = await A.search(s);
    tn(s, i, { params: e, list: t, count: n }), en(await A.similar(s, i), { list: t, params: e });
  } catch (o) {
    throw n.textContent = t.dataset.failed ?? "Search is not available at the moment.", o;
  }
}
async function fr(e, t) {
  let r = { text: e, filters: { taxonomy: {}, facets: {} }, sort: "relevance", limit: 8, offset: 0, lang: t }, o = await A.search(r), [s, i] = await Promise.all([
    A.similar(r, o),
    Nt(o.items, C(e, (await A.head()).syntax).terms, _t)
  ]);
  return { ...o, ...s, sections: i };
}
var rn = [...document.querySelectorAll("script[src]")].some(
  ({ src: e }) => e === import.meta.url
);
rn && await nn();
export {
  fr as find
};
