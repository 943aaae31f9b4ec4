/* Generated from plugins/search/client by scripts/browser-search.mjs. */
/* oxlint-disable */
// plugins/search/client/utf8-length.js
function y(e) {
  return new TextEncoder().encode(e).length;
}

// plugins/search/query/terms.ts
var _t = new RegExp(
  [
    "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670]"
  ].join(""),
  "gu"
), Ot = /[ßøæœłđðþıς]/gu, Ft = {
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
}, It = /[\u2018\u2019\u201b\u02bc\u02bb\u2032\uff07`\u00b4]/gu, Ht = /[\s\p{Cc}\p{Cf}\p{Cs}]/gu, kt = /^[^\p{L}\p{N}]+/u, jt = /^[\p{L}\p{N}\p{M}]$/u, Dt = /^[!-~]*$/, Z = /\S+/gu;
function S(e) {
  if (Dt.test(e)) return V(N(e.toLowerCase()));
  let t = e.replace(It, "'").normalize("NFKD").toLowerCase().replace(_t, "").replace(Ot, (n) => Ft[n] ?? n).normalize("NFC").replace(Ht, "");
  return V(N(t));
}
function N(e) {
  if (j(e.charCodeAt(0)) && j(e.charCodeAt(e.length - 1))) return e;
  let t = e.replace(kt, ""), n = t.length;
  for (; n > 0 && !Wt(t, n); ) n -= 1;
  return n === t.length ? t : t.slice(0, n);
}
function Wt(e, t) {
  let n = e.charCodeAt(t - 1);
  if (n < 128) return j(n);
  let r = n >= 56320 && n <= 57343;
  return jt.test(r ? e.slice(Math.max(0, t - 2), t) : e.charAt(t - 1));
}
function j(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}
function V(e) {
  if (e.length <= 64) return e;
  let t = e.slice(0, 64), n = t.charCodeAt(63);
  return n >= 55296 && n <= 56319 ? t.slice(0, -1) : t;
}
function R(e) {
  if (e.length !== 2) return e.length > 2;
  let t = e.charCodeAt(0);
  return t < 55296 || t > 56319;
}
function w(e) {
  let t = [];
  for (let n of e.match(Z) ?? []) {
    let r = S(n);
    R(r) && t.push(r);
  }
  return t;
}
function W(e) {
  return [...new Set(w(e.slice(0, 256)))].slice(0, 16);
}
function b(e) {
  let t = [];
  for (let n of e.match(Z) ?? []) {
    let r = S(n);
    r !== "" && t.push(r);
  }
  return t.join(" ");
}
var v = /[-'\u2010\u2011]/u, J = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u, q = /\p{Script=Hangul}/u;
var fn = new RegExp("\\S{65,}", "gu"), D = class {
  static #t = null;
  static of(t) {
    return this.#t ??= new Intl.Segmenter(void 0, { granularity: "word" }), this.#t.segment(t);
  }
};
function tt(e) {
  return v.test(e) || J.test(e) || q.test(e);
}
function et(e, t) {
  if (v.test(e) && !v.test(t)) {
    let [, ...n] = e.split(v);
    if (n.some((r) => r.startsWith(t))) return !0;
  }
  return q.test(t) ? e.includes(t, 1) : J.test(t) && e.includes(t, 1) && Xt(e, t);
}
function Xt(e, t) {
  let n = /* @__PURE__ */ new Set([e.length]);
  for (let { index: r } of D.of(e)) n.add(r);
  for (let r = e.indexOf(t, 1); r !== -1; r = e.indexOf(t, r + 1))
    if (n.has(r) && n.has(r + t.length)) return !0;
  return !1;
}

// plugins/search/query/select.ts
function Q(e, t) {
  let n = Gt(t), r = new Map(t.facets.map((i) => [i, /* @__PURE__ */ new Map()])), o = [];
  for (let i of e) {
    if (i.score === 0 && t.terms.length > 0) continue;
    let a = n.filter((c) => !c.passes(i.document));
    a.length === 0 && o.push(i), zt(r, i.document, a);
  }
  o.sort(t.sort === "date" || t.terms.length === 0 ? Qt : Ut);
  let s = o.slice(t.offset, t.offset + t.limit);
  return {
    total: o.length,
    hits: s.map(({ document: i, score: a }) => ({ route: i.route, score: a })),
    facets: Kt(r)
  };
}
function L(e, t) {
  let [n, r] = [e.date ?? "", t.date ?? ""];
  return n !== r ? n < r ? 1 : -1 : e.route < t.route ? -1 : e.route > t.route ? 1 : 0;
}
function Qt(e, t) {
  return L(e.document, t.document);
}
function Ut(e, t) {
  return t.score - e.score || L(e.document, t.document);
}
function Gt(e) {
  let { template: t, from: n, to: r, taxonomy: o, facets: s } = e.filters, i = new Set(e.access), a = [{ facet: null, passes: (l) => i.has(l.access) }], c = (l, u = null) => {
    a.push({ facet: u, passes: l });
  };
  if (e.routes !== void 0) {
    let l = e.routes.only === null ? null : new Set(e.routes.only), u = new Set(e.routes.except);
    c(({ route: d }) => l?.has(d) !== !1 && !u.has(d));
  }
  e.lang !== null && c((l) => l.lang === e.lang || l.lang === ""), t !== void 0 && c((l) => l.template === t), n !== void 0 && c((l) => l.date !== null && l.date >= n), r !== void 0 && c((l) => l.date !== null && l.date <= r);
  for (let [l, u] of Object.entries(o))
    c((d) => X(d.taxonomy, l).some((f) => u.includes(f)));
  for (let [l, u] of Object.entries(s))
    c((d) => X(d.facets, l).some((f) => u.includes(f)), l);
  return a;
}
function zt(e, t, n) {
  let r = n[0];
  if (!(n.length > 1 || r && r.facet === null)) {
    for (let [o, s] of e)
      if (!(r && r.facet !== o))
        for (let i of new Set(X(t.facets, o)))
          s.set(i, (s.get(i) ?? 0) + 1);
  }
}
function X(e, t) {
  return Object.hasOwn(e, t) ? e[t] ?? [] : [];
}
function Kt(e) {
  return Object.fromEntries(
    [...e].map(([t, n]) => [t, $t([...n])])
  );
}
function $t(e) {
  return e.sort((t, n) => n[1] - t[1] || (t[0] < n[0] ? -1 : 1)), Object.fromEntries(e);
}

// plugins/search/query/parse-query.ts
var nt = 8, Yt = 16, Vt = /(?<!\S)(?<not>-?)"(?<phrase>[^"]*)"\S*|\S+/gu, Zt = /[“”„‟«»]/gu, Jt = /^-[\p{L}\p{N}]/u;
function T(e, t) {
  let n = e.slice(0, 256), r = { text: n, terms: W(n), extended: null };
  return t === "plain" ? r : qt(n) ?? r;
}
var U = class {
  wanted = [];
  phrases = /* @__PURE__ */ new Set();
  notPhrases = /* @__PURE__ */ new Set();
  notTerms = /* @__PURE__ */ new Set();
  addPhrase(t, n) {
    n || this.wanted.push(t), w(t).length !== 0 && (n ? this.notPhrases : this.phrases).add(b(t));
  }
  addWord(t) {
    Jt.test(t) ? R(S(t)) && this.notTerms.add(S(t)) : this.wanted.push(t);
  }
  get isPlain() {
    return this.phrases.size + this.notPhrases.size + this.notTerms.size === 0;
  }
};
function qt(e) {
  let t = new U();
  for (let { 0: r, groups: o } of e.replace(Zt, '"').matchAll(Vt)) {
    let s = o?.phrase;
    s === void 0 ? t.addWord(r) : t.addPhrase(s, o?.not === "-");
  }
  if (t.isPlain) return null;
  let n = t.wanted.join(" ");
  return {
    text: n,
    terms: W(n),
    extended: {
      typed: e,
      phrases: [...t.phrases].slice(0, nt),
      notPhrases: [...t.notPhrases].slice(0, nt),
      notTerms: [...t.notTerms].slice(0, Yt)
    }
  };
}
function G({ template: e, from: t, to: n, taxonomy: r, facets: o }) {
  return [e, t, n].some((i) => i !== void 0) || Object.keys(r).length + Object.keys(o).length > 0;
}

// plugins/search/query/score.ts
var te = 5, E = { title: 3, taxonomy: 2, body: 1, exactTitle: 5 }, ee = 1.5, rt = 1e3;
function ot(e) {
  let t = new Map(Object.entries(e).map(([o, s]) => [o, s.weight])), n = (o, s) => Math.round((t.get(o) ?? s) * rt), r = n("title", E.title);
  return {
    title: r,
    taxonomy: n("taxonomy", E.taxonomy),
    body: n("body", E.body),
    exactTitle: Math.round(r * E.exactTitle / E.title),
    field: (o) => n(o, 1),
    configured: Object.fromEntries([...t.keys()].map((o) => [o, n(o, 1)]))
  };
}
function ne(e, t) {
  return (t ? e * ee : e) / rt;
}
function st(e, t, n) {
  let r = t ? n.exactTitle : 0;
  for (let o of e)
    for (let s of o ? re(o, n) : []) r += s.points;
  return ne(r, e.length > 1 && e.every((o) => o !== null));
}
function re(e, t) {
  let n = Math.min(e.body, te);
  return [
    { field: "title", count: e.title ? 1 : 0, points: e.title ? t.title : 0 },
    { field: "taxonomy", count: e.taxonomy, points: e.taxonomy * t.taxonomy },
    { field: "body", count: e.body, points: n * t.body },
    ...e.fields.map((o) => ({ field: o, count: 1, points: t.field(o) }))
  ].filter((o) => o.count > 0);
}

// plugins/search/query/phrases.ts
var oe = 5e3;
async function at(e, { phrases: t, notPhrases: n, notTerms: r }) {
  let o = null;
  for (let i of t)
    o = await it(e, i, o);
  let s = /* @__PURE__ */ new Set();
  for (let i of r) for (let a of await e.find([i])) s.add(a);
  for (let i of n)
    for (let a of await it(e, i, o)) s.add(a);
  return { only: o, except: [...s] };
}
async function it(e, t, n) {
  let r = [...new Set(w(t))], o = [new Set(n ?? await e.find(r))];
  if (n !== null || r.length > 1)
    for (let a of r) o.push(new Set(await e.find([a])));
  let s = [...o[0] ?? []].filter((a) => o.every((c) => c.has(a))), i = [];
  for (let a of s.slice(0, oe))
    (await e.texts(a)).some((l) => se(l, t)) && i.push(a);
  return i;
}
function se(e, t) {
  return ` ${b(e)} `.includes(` ${t} `);
}

// plugins/search/similar/find-similar.ts
var ie = 4, ae = 8, ct = 500, ce = /(?!-)[^\s"“”„]+/gu;
async function lt(e, t) {
  let n = /* @__PURE__ */ new Map(), r = /* @__PURE__ */ new Map();
  for (let s of await le(e, t)) {
    let i = ue(t.terms, s, e), a = await de(e, s, i), { term: c, words: l, matched: u } = s;
    a.length > 0 && u === "typo" && !r.has(c) && r.set(c, l.join(" "));
    for (let { route: d, score: f } of a)
      f > (n.get(d)?.score ?? 0) && !t.shown.has(d) && n.set(d, { route: d, score: f, matched: u, terms: i });
  }
  return { hits: [...n.values()].sort((s, i) => i.score - s.score || e.compare(s.route, i.route)).slice(0, t.limit), didYouMean: fe(t.text, r) };
}
async function le(e, { terms: t, total: n }) {
  let r = [], o = t.filter((s) => !e.synonyms.isStop(s)).slice(0, ie);
  for (let s of o) {
    let i = await Se(s, e);
    i !== null && r.push(i), r.push(...we(s, e), ...await xe(s, e)), n > 0 && (t.length === 1 || (await e.find([s], 1)).total > 0) || r.push(...await ye(s, e));
  }
  return r.slice(0, ae);
}
function ue(e, { term: t, words: n }, { synonyms: r }) {
  let o = e.flatMap((s) => s === t ? n : r.isStop(s) ? [] : [s]);
  return [...new Set(o)];
}
async function de(e, { words: t, matched: n }, r) {
  let { hits: o } = await e.find(r, ct);
  if (o.length === 0 || r.length === 1) return o;
  let s = n === "part" ? [t] : t.map((c) => [c]), a = (await Promise.all(s.map((c) => e.find(c, ct)))).map((c) => new Set(c.hits.map(({ route: l }) => l)));
  return o.filter(({ route: c }) => a.every((l) => l.has(c)));
}
function fe(e, t) {
  return t.size === 0 ? null : e.trim().replace(ce, (n) => t.get(S(n)) ?? n);
}
var me = 3, he = 4, ge = 3, pe = 100, z = 3;
async function ye(e, t) {
  let n = Ae(e);
  if (!t.typo || n === 0) return [];
  let [r = ""] = e, o = { prefix: r, shortest: e.length - n, longest: 64 }, s = [], i = new K(e, n);
  for (let a of await t.words(o)) {
    let c = i.to(a);
    c !== null && c > 0 && s.push({ word: a, distance: c });
  }
  return s.sort(
    (a, c) => a.distance - c.distance || a.word.length - c.word.length || (a.word < c.word ? -1 : +(a.word > c.word))
  ), s.slice(0, me).map(({ word: a }) => ({ term: e, words: [a], matched: "typo" }));
}
async function Se(e, t) {
  let n = [];
  for (let r of await t.compounds())
    if (!r.startsWith(e) && et(r, e) && n.push(r), n.length === pe) break;
  return n.length === 0 ? null : { term: e, words: n, matched: "part" };
}
function we(e, { synonyms: t }) {
  return t.of(e).slice(0, he).map((r) => ({ term: e, words: r, matched: "synonym" }));
}
async function xe(e, t) {
  let { stem: n } = t;
  if (n === null || e.length < z) return [];
  let r = e.slice(0, z), o = n(e), a = (await t.words({ prefix: r, shortest: z, longest: 64 })).filter((u) => !u.startsWith(e) && n(u) === o).sort((u, d) => u.length - d.length || (u < d ? -1 : 1));
  return a.filter(
    (u, d) => !a.slice(0, d).some((f) => u.startsWith(f))
  ).slice(0, ge).map((u) => ({ term: e, words: [u], matched: "stem" }));
}
var be = 4, Me = 7, Re = 5;
function Ae(e) {
  return e.length < be ? 0 : e.length < Me ? 1 : 2;
}
var K = class {
  #t;
  #e;
  #r;
  /** Rows of the table of distances: the last but one, the last, and the current one. */
  #n;
  constructor(t, n) {
    let r = t.length + n + 2;
    this.#t = t, this.#e = n, this.#r = t.length >= Re, this.#n = [new Uint16Array(r), new Uint16Array(r), new Uint16Array(r)];
  }
  /** As `editDistance`. */
  to(t) {
    let [n, r] = [this.#t.length, this.#e];
    if (t.length < n - r || !this.#r && t.length > n + r) return null;
    let o = Math.min(t.length, n + r);
    if (!this.#i(t, o)) return null;
    let [, s] = this.#n, i = r + 1, a = this.#r ? Math.max(0, n - r) : t.length;
    for (let c = a; c <= o; c++) i = Math.min(i, s[c]);
    return i <= r ? i : null;
  }
  /** Computes the last row; false when all distances exceed the maximum before. */
  #i(t, n) {
    let [, r] = this.#n;
    for (let o = 0; o <= n; o++) r[o] = o;
    for (let o = 1; o <= this.#t.length; o++) {
      if (this.#o(o, t, n) > this.#e) return !1;
      let [s, i, a] = this.#n;
      this.#n = [i, a, s];
    }
    return !0;
  }
  /** The least distance of a row. Only cells near the diagonal count: others are more edits away. */
  #o(t, n, r) {
    let [o, s] = [this.#t, this.#e], [i, a, c] = this.#n, [l, u] = [Math.max(1, t - s), Math.min(r, t + s)], [d, f] = [o.charCodeAt(t - 1), t > 1 ? o.charCodeAt(t - 2) : -1];
    c[l - 1] = l === 1 ? t : s + 1;
    let m = c[l - 1];
    for (let g = l; g <= u; g++) {
      let x = n.charCodeAt(g - 1), p = a[g - 1] + (d === x ? 0 : 1);
      p = Math.min(p, c[g - 1] + 1), g < t + s && (p = Math.min(p, a[g] + 1)), g > 1 && x === f && d === n.charCodeAt(g - 2) && (p = Math.min(p, i[g - 2] + 1)), c[g] = p, p < m && (m = p);
    }
    return m;
  }
};

// plugins/search/similar/synonyms.ts
var _ = class {
  #t = /* @__PURE__ */ new Map();
  #e = /* @__PURE__ */ new Set();
  constructor(t) {
    for (let { groups: n, one_way: r, stop: o } of t) {
      for (let s of n) this.#r(s);
      for (let [s, i] of Object.entries(r))
        for (let a of i) this.#n(s, a);
      for (let s of o) for (let i of w(s)) this.#e.add(i);
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
    let [r, ...o] = w(t), s = w(n);
    if (r === void 0 || o.length > 0 || s.length === 0) return;
    let i = this.#t.get(r) ?? [];
    i.some((a) => a.join(" ") === s.join(" ")) || i.push(s), this.#t.set(r, i);
  }
};

// plugins/search/query/excerpt.ts
var Te = 20, ft = 40, Ee = /[&<>"']/gu, mt = /[&<>"']|\s{2,}|[^\S ]/u, Pe = new RegExp(mt, "gu"), ht = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
};
function Ce(e) {
  return e.replace(Ee, (t) => ht[t] ?? t);
}
function F(e, t) {
  let n = $(e, t.terms), r = Ne(e, ve(n, t.length), t.length), o = t.highlight ? n.filter((a) => a.start >= r.start && a.end <= r.end) : [], s = (r.start > 0 ? "…" : "") + Oe(e, r, o) + (r.end < e.length ? "…" : ""), i = /* @__PURE__ */ new Set();
  for (let a of n) {
    if (i.size === Te) break;
    i.add(e.slice(a.start, a.end));
  }
  return { html: s, highlights: Array.from(i, Ce) };
}
function ve(e, t) {
  let [n, r, o, s, i] = [0, -1, 0, 0, 0], a = [];
  for (let u = 0; u < e.length; u++) {
    let { term: d, end: f } = e[u];
    for ((a[d] = (a[d] ?? 0) + 1) === 1 && (i += 1); s < u && f - e[s].start > t; ) {
      let g = e[s++].term;
      (a[g] = a[g] - 1) === 0 && (i -= 1);
    }
    let m = i * e.length + (u - s + 1);
    m > o && ([n, r, o] = [s, u, m]);
  }
  let [c, l] = [e[n], e[r]];
  return c && l ? { start: c.start, end: l.end } : null;
}
function Ne(e, t, n) {
  if (e.length <= n) return { start: 0, end: e.length };
  let r = t ? Math.max(0, n - (t.end - t.start)) : 0, o = t ? Math.max(0, t.start - Math.floor(r / 2)) : 0, s = Math.min(o, e.length - n), i = s === 0 ? 0 : Le(e, s, t ? t.start : s), a = Math.min(e.length, i + n);
  return { start: i, end: a === e.length ? a : _e(e, a, t ? t.end : i) };
}
function Le(e, t, n) {
  if (M(e, t - 1)) return t;
  for (let r = t; r < Math.min(n, t + ft); r++)
    if (M(e, r)) return r + 1;
  return gt(e, t) ? t + 1 : t;
}
function _e(e, t, n) {
  if (M(e, t)) return t;
  for (let r = t - 1; r >= Math.max(n, t - ft); r--)
    if (M(e, r)) return r;
  return gt(e, t) ? t - 1 : t;
}
function gt(e, t) {
  let n = e.charCodeAt(t);
  return n >= 56320 && n <= 57343;
}
function Oe(e, t, n) {
  let r = e.slice(t.start, t.end), o = mt.test(r), s = (c) => o ? c.replace(Pe, (l) => ht[l] ?? " ") : c, i = "", a = 0;
  for (let c of n) {
    let [l, u] = [c.start - t.start, c.end - t.start];
    i += `${s(r.slice(a, l))}<mark>${s(r.slice(l, u))}</mark>`, a = u;
  }
  return (i + s(r.slice(a))).trim();
}
var ut = 1e5, O = /[^\0-\x7f]/g, pt = /\s/u;
function $(e, t) {
  if (t.length === 0) return [];
  let n = e.length > ut ? e.slice(0, ut) : e, r = n.toLowerCase(), o = [], s = r.length === n.length ? Fe : Ie;
  t.forEach((a, c) => s({ text: n, lower: r }, { term: a, at: c }, o));
  let i = y(n) === n.length;
  return i || He(n, t, o), i && t.length === 1 ? o : je(o);
}
function Fe({ text: e, lower: t }, { term: n, at: r }, o) {
  let s = t.indexOf(n);
  for (; s >= 0; ) {
    let i = s + 1;
    if (De(e, s)) {
      let a = yt(e, s);
      B(o, e, { start: s, end: a, term: r }), i = Math.max(i, a);
    }
    s = t.indexOf(n, i);
  }
}
function Ie({ text: e }, { term: t, at: n }, r) {
  for (let { index: o, 0: s } of e.matchAll(/\S+/gu)) {
    let i = { start: o, end: o + s.length, term: n };
    S(s).startsWith(t) && B(r, e, i);
  }
}
function He(e, t, n) {
  let r = new Set(t.map((s) => s.charCodeAt(0)));
  O.lastIndex = 0;
  let o = 0;
  for (let s = O.exec(e); s; s = O.exec(e)) {
    if (s.index < o || pt.test(s[0])) continue;
    let [i, a] = [We(e, s.index), yt(e, s.index)];
    if (o = a, O.lastIndex = Math.max(o, s.index + 1), !ke(e, { start: i, end: a }, r)) continue;
    let c = S(e.slice(i, a)), l = R(c) ? t.findIndex((u) => c.startsWith(u)) : -1;
    l >= 0 && B(n, e, { start: i, end: a, term: l });
  }
}
function ke(e, { start: t, end: n }, r) {
  let o = t;
  for (; o < n && St(e.charCodeAt(o)); ) o += 1;
  let s = e.charCodeAt(o);
  return !Y(s) || r.has(s) || r.has(s | 32);
}
function B(e, t, n) {
  if (dt(t, n.start) && dt(t, n.end - 1)) {
    e.push(n);
    return;
  }
  let r = t.slice(n.start, n.end), o = N(r), s = n.start + r.indexOf(o);
  o !== "" && e.push({ start: s, end: s + o.length, term: n.term });
}
function je(e) {
  e.sort((r, o) => r.start - o.start || r.term - o.term);
  let [t, n] = [0, -1];
  for (let r of e)
    r.start !== n && (e[t++] = r), n = r.start;
  return e.length = t, e;
}
function De(e, t) {
  let n = t - 1;
  for (; n >= 0 && St(e.charCodeAt(n)); ) n -= 1;
  return n < 0 || M(e, n);
}
function We(e, t) {
  let n = t;
  for (; n > 0 && !M(e, n - 1); ) n -= 1;
  return n;
}
function yt(e, t) {
  let n = t;
  for (; n < e.length && !M(e, n); ) n += 1;
  return n;
}
function M(e, t) {
  let n = e.charCodeAt(t);
  return n < 128 ? n === 32 || n >= 9 && n <= 13 : pt.test(e.charAt(t));
}
function St(e) {
  return e > 32 && e <= 126 && !Y(e);
}
function dt(e, t) {
  return Y(e.charCodeAt(t));
}
function Y(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}

// plugins/search/client/term-matches.ts
function bt(e, t, n) {
  for (let [r, o, s, i, a] of t.terms)
    if (r.startsWith(n)) {
      xt(o, (c, l) => {
        C(e, c).body += l;
      }), wt(s, (c) => {
        C(e, c).title = !0;
      }), xt(i, (c, l) => {
        C(e, c).values.add(l);
      });
      for (let [c, l] of a)
        wt(l, (u) => {
          C(e, u).fields.add(c);
        });
    }
}
function Mt(e, { id: t, terms: n }, r) {
  for (let [o, s, i, a, c] of n) {
    if (!o.startsWith(r)) continue;
    let l = C(e, t);
    l.body += s, l.title ||= i === 1, I(l.values, a), I(l.fields, c);
  }
}
function C(e, t) {
  let n = e.get(t);
  return n === void 0 && (n = { title: !1, values: /* @__PURE__ */ new Set(), body: 0, fields: /* @__PURE__ */ new Set() }, e.set(t, n)), n;
}
function Rt(e, t) {
  if (e === void 0) return null;
  let { title: n, values: r, body: o, fields: s } = e;
  return { title: n, taxonomy: r.size, body: o, fields: [...s].map((i) => t[i] ?? "") };
}
function I(e, t) {
  for (let n of t) e.add(n);
}
function wt(e, t) {
  let n = 0;
  for (let r of e) t(n += r);
}
function xt(e, t) {
  let n = 0;
  for (let r = 0; r + 1 < e.length; r += 2)
    n += e[r] ?? 0, t(n, e[r + 1] ?? 0);
}

// plugins/search/client/client-search.ts
var H = class {
  #t;
  #e = /* @__PURE__ */ new Map();
  constructor(t) {
    this.#t = t;
  }
  /** The head of the index: page size, facets. */
  head() {
    return this.#s("index.json");
  }
  async search(t) {
    let n = await this.head(), r = T(t.text, n.syntax), { terms: o } = r, s = o.length === 0 && G(t.filters);
    if (o.length === 0 && !s)
      return { total: 0, items: [], facets: {}, hasMore: !1 };
    let i = await this.#r(n, r, await this.#o(n, r.text, o)), c = !G(t.filters) && t.sort === "relevance" && t.lang === null && n.facets.length === 0 ? At(i, t) : await this.#i(n, i, { ...t, terms: o, isBrowsing: s }), l = await Promise.all(
      c.hits.map(
        async ({ id: f, score: m }) => Tt(await this.#c(n, f), n, o, m)
      )
    ), { total: u, facets: d } = c;
    return { total: u, items: l, facets: d, hasMore: t.offset + t.limit < u };
  }
  /** Similar hits beside the exact ones of the same request, as on the server; without stems. */
  async similar(t, n) {
    let r = await this.head(), o = await this.#u(r), s = new Map([...o].map(([c, l]) => [l[0], c])), i = new Map([...o.values()].map(([c, , , l]) => [c, l])), a = T(t.text, r.syntax);
    return Qe(
      {
        head: r,
        dates: i,
        words: (c) => this.#n(r, c),
        find: async (c, l) => {
          let u = await this.#o(r, c.join(" "), c), d = await this.#i(r, await this.#r(r, a, u), {
            ...t,
            terms: c,
            limit: l,
            isBrowsing: !1,
            sort: "relevance"
          }), f = d.hits.map(({ id: m, score: g }) => ({
            route: o.get(m)?.[0] ?? "",
            score: g
          }));
          return { total: d.total, hits: f };
        },
        item: async ({ route: c, score: l, terms: u, matched: d }) => {
          let f = await this.#c(r, s.get(c) ?? -1);
          return { ...Tt(f, r, u, l), matched: d };
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
      let d = await this.#o(t, u.join(" "), u);
      return At(d, { offset: 0, limit: d.size }).hits.map(({ id: f }) => f);
    }, s = async (u) => {
      let d = await this.#c(t, u);
      return d === void 0 ? [] : [d.title, d.text, ...Object.values(d.taxonomy).flat()];
    }, { only: i, except: a } = await at({ find: o, texts: s }, n), [c, l] = [i === null ? null : new Set(i), new Set(a)];
    return new Map([...r].filter(([u]) => c?.has(u) !== !1 && !l.has(u)));
  }
  async #n(t, { prefix: n, shortest: r, longest: o }) {
    let s = await this.#l(t, n), i = await this.#a(t), a = [...s, ...i].flatMap(({ terms: l }) => l.map(([u]) => u)), c = (l) => l.startsWith(n) && l.length >= r && l.length <= o;
    return [...new Set(a.filter(c))];
  }
  /** Applies the server's rules for filters and facets, which need every document. */
  async #i(t, n, r) {
    let o = await this.#u(t), { total: s, hits: i, facets: a } = Q(
      Ue(n, o, r.isBrowsing),
      { ...r, access: [""], facets: t.facets }
    ), c = new Map([...o].map(([u, d]) => [d[0], u])), l = i.map(({ route: u, score: d }) => ({ id: c.get(u) ?? -1, score: d }));
    return { total: s, facets: a ?? {}, hits: l };
  }
  async #o(t, n, r) {
    let o = ot(t.weights), s = await this.#a(t), i = new Set(t.removed), a = b(n), c = /* @__PURE__ */ new Set(), l = await Promise.all(
      r.map(async (d) => {
        let f = /* @__PURE__ */ new Map();
        for (let m of await this.#l(t, d)) {
          bt(f, m, d);
          for (let [g, x] of m.titles) g === a && I(c, x);
        }
        for (let m of i) f.delete(m);
        for (let m of s) Mt(f, m, d);
        return f;
      })
    );
    for (let d of i) c.delete(d);
    for (let { id: d, title: f } of s) f === a && c.add(d);
    let u = /* @__PURE__ */ new Map();
    for (let d of new Set(l.flatMap((f) => [...f.keys()]))) {
      let f = l.map((m) => Rt(m.get(d), t.fields));
      u.set(d, st(f, c.has(d), o));
    }
    return u;
  }
  /** Returns the files with the words that start with a term. */
  async #l({ terms: t }, n) {
    let r = t.flatMap(([o, s], i) => {
      let a = t[i + 1]?.[0];
      return (o <= n || o.startsWith(n)) && (a === void 0 || a > n) ? [s] : [];
    });
    return Promise.all(r.map((o) => this.#s(o)));
  }
  async #u(t) {
    let { rows: n } = await this.#s(t.rows), r = new Map(n.map((o, s) => [s, o]));
    for (let o of t.removed) r.delete(o);
    for (let { id: o, row: s } of await this.#a(t)) r.set(o, s);
    return r;
  }
  async #a({ late: t }) {
    return t === null ? [] : this.#s(t);
  }
  async #c(t, n) {
    let r = (await this.#a(t)).find((a) => a.id === n);
    if (r !== void 0) return r.shown;
    let o = t.shown.findLastIndex(([a]) => a <= n), [s, i] = t.shown[o] ?? [0, ""];
    return (await this.#s(i))[n - s];
  }
  /** The export writes this file beside the script, in the shape that `format.ts` defines. */
  async #s(t) {
    let n = this.#e.get(t) ?? this.#t(t);
    this.#e.set(t, n);
    try {
      return await n;
    } catch (r) {
      throw this.#e.delete(t), r;
    }
  }
}, Xe = 10;
async function Qe(e, t, n) {
  if (t.terms.length === 0 || t.offset > 0) return { similar: [], didYouMean: null };
  let { typo: r, lists: o, main: s } = e.head.similar, i = o[t.lang ?? s] ?? o[""] ?? [], a = (u) => ({ route: u, date: e.dates.get(u) ?? null }), { hits: c, didYouMean: l } = await lt(
    {
      typo: r,
      stem: null,
      synonyms: new _(i),
      find: (u, d) => e.find(u, d),
      words: (u) => e.words(u),
      compounds: async () => (await e.words({ prefix: "", shortest: 2, longest: 64 })).filter(
        tt
      ),
      compare: (u, d) => L(a(u), a(d))
    },
    {
      text: t.text,
      terms: t.terms,
      total: n.total,
      shown: new Set(n.items.map(({ route: u }) => u)),
      limit: Math.min(t.limit, Xe)
    }
  );
  return { similar: await Promise.all(c.map((u) => e.item(u))), didYouMean: l };
}
function At(e, { offset: t, limit: n }) {
  let r = [...e].map(([o, s]) => ({ id: o, score: s })).filter(({ score: o }) => o > 0).sort((o, s) => s.score - o.score || o.id - s.id);
  return { total: r.length, facets: {}, hits: r.slice(t, t + n) };
}
function* Ue(e, t, n) {
  for (let [r, o] of t) {
    let s = e.get(r) ?? 0;
    if (s === 0 && !n) continue;
    let [i, a, c, l, u, d] = o;
    yield { score: s, document: { ...{ route: i, lang: a, template: c, date: l, taxonomy: u, facets: d }, title: "", fields: {}, access: "" } };
  }
}
function Tt(e, t, n, r) {
  let { text: o, ...s } = e ?? Ge, { highlight: i, excerptLength: a } = t, c = F(o, { terms: n, length: a, highlight: i }), l = { ...s, score: r, excerpt: c.html };
  return i ? { ...l, highlights: c.highlights } : l;
}
var Ge = {
  route: "/",
  title: "",
  template: "",
  date: "",
  taxonomy: {},
  text: ""
};

// plugins/search/client/page-sections.js
var ze = 3, Ke = 3, $e = 90, Et = /* @__PURE__ */ new Map();
async function Pt(e, t, n) {
  let r = await Promise.all(
    e.slice(0, ze).map(async ({ route: o }) => [o, Ze(await Be(o, n), t)])
  );
  return Object.fromEntries(r.filter(([, o]) => o.length > 0));
}
function Be(e, t) {
  let n = Et.get(e) ?? Ye(new URL(e.replace(/^\/+/, ""), t));
  return Et.set(e, n), n;
}
async function Ye(e) {
  let t = await fetch(e).catch(() => null);
  return t?.ok !== !0 ? [] : [...new DOMParser().parseFromString(await t.text(), "text/html").querySelector("main")?.querySelectorAll("h2[id], h3[id], h4[id]") ?? []].map((o) => ({
    id: o.id,
    title: o.textContent.trim(),
    text: Ve(o)
  }));
}
function Ve(e) {
  let t = "";
  for (let n = e.nextElementSibling; n !== null && !/^H[1-6]$/.test(n.nodeName); n = n.nextElementSibling)
    t += ` ${n.textContent}`;
  return t.replace(/\s+/g, " ").trim();
}
function Ze(e, t) {
  let n = (r) => new Set($(r, t).map(({ term: o }) => o)).size;
  return e.map(({ id: r, title: o, text: s }, i) => {
    let a = F(s, { terms: t, length: $e, highlight: !0 }).html;
    return { worth: n(o) * 2 + n(s), at: i, hit: { id: r, title: o, excerpt: a } };
  }).filter(({ worth: r }) => r > 0).sort((r, o) => o.worth - r.worth || r.at - o.at).slice(0, Ke).map(({ hit: r }) => r);
}

// plugins/search/client/search-page.js
var vt = new URL("./", import.meta.url), Nt = new URL("../../", vt), A = new H(async (e) => {
  let t = await fetch(new URL(e, vt));
  if (!t.ok) throw new Error(`${e}: ${t.status}`);
  return t.json();
});
function h(e, t = {}, ...n) {
  let r = Object.assign(document.createElement(e), t);
  return r.append(...n), r;
}
function Je(e) {
  let t = document.createDocumentFragment();
  for (let n of new DOMParser().parseFromString(e, "text/html").body.childNodes) {
    let r = n.textContent ?? "";
    t.append(n.nodeName === "MARK" ? h("mark", { textContent: r }) : r);
  }
  return t;
}
function Lt(e) {
  let t = new URL(e.route.replace(/^\/+/, ""), Nt).href, n = h("p", { className: "result-place" }, new URL(t).pathname);
  if (e.date !== "") {
    let r = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
      dateStyle: "medium",
      timeZone: "UTC"
    });
    n.append(h("time", { dateTime: e.date }, r.format(new Date(e.date))));
  }
  return h(
    "li",
    { className: "result search-result" },
    h("h2", {}, h("a", { href: t, textContent: e.title })),
    n,
    h("p", {}, Je(e.excerpt))
  );
}
function qe() {
  let e = document.querySelector("main") ?? document.body, t = (o, s, i) => e.querySelector(`[data-search-${o}]`) ?? e.querySelector(s) ?? i(), n = t("results", "ol.results, #search-results", () => {
    let o = h("ol", { className: "results" });
    return e.append(o), o;
  }), r = t("count", ".search-count, #search-status", () => {
    let o = h("p", { className: "search-count" });
    return n.before(o), o;
  });
  return r.setAttribute("role", "status"), { list: n, count: r };
}
function tn(e, t, { dataset: n }) {
  let [r, o] = e === 0 ? ["none", "Nothing found for “{q}”"] : e === 1 ? ["one", "1 result for “{q}”"] : ["many", "{n} results for “{q}”"];
  return (n[r] ?? o).replace("{n}", String(e)).replace("{q}", () => t);
}
function k(e, t, n) {
  let r = new URLSearchParams(e);
  return t(r), h("a", { ...n, href: `?${r}` });
}
function en(e, t, { dataset: n }) {
  let r = Object.entries(e).filter(([, s]) => Object.keys(s).length > 0), o = h("nav", { className: "facets", ariaLabel: n.narrow ?? "Narrow down" });
  for (let [s, i] of r) {
    let a = h("ul");
    for (let [c, l] of Object.entries(i)) {
      let u = `facet[${s}]`, d = t.getAll(u).includes(c), m = k(t, (g) => {
        let x = g.getAll(u).filter((p) => p !== c);
        g.delete(u), g.delete("offset");
        for (let p of d ? x : [...x, c]) g.append(u, p);
      }, { rel: "nofollow" });
      d && m.setAttribute("aria-current", "true"), m.append(
        h("span", { textContent: c }),
        " ",
        h("span", { className: "count", textContent: String(l) })
      ), a.append(h("li", {}, m));
    }
    o.append(
      h("section", {}, h("h2", { textContent: s.split(".").at(-1) }), a)
    );
  }
  return r.length === 0 ? null : o;
}
function nn(e, { hasMore: t, params: n, dataset: r }) {
  if (e.offset === 0 && !t) return null;
  let o = (i) => (a) => {
    i === 0 ? a.delete("offset") : a.set("offset", String(i));
  }, s = Math.max(0, e.offset - e.limit);
  return h(
    "nav",
    { className: "pagination", ariaLabel: r.pages ?? "Pages" },
    e.offset > 0 ? k(n, o(s), { rel: "prev", textContent: r.previous ?? "Previous" }) : h("span"),
    t ? k(n, o(e.offset + e.limit), {
      rel: "next",
      textContent: r.next ?? "Next"
    }) : h("span")
  );
}
function rn(e, t, { params: n, list: r, count: o }) {
  r.replaceChildren(...t.items.map(Lt)), "start" in r && (r.start = e.offset + 1), o.textContent = e.text === "" ? "" : tn(t.total, e.text, r);
  let s = e.text === "" ? null : en(t.facets, n, r), i = r.closest(".search-body");
  s !== null && (i ?? r.parentElement).prepend(s), i?.classList.toggle("has-facets", s !== null);
  let a = nn(e, { hasMore: t.hasMore, params: n, dataset: r.dataset });
  a !== null && r.after(a);
}
function on({ similar: e, didYouMean: t }, { list: n, params: r }) {
  let { dataset: o } = n;
  if (t !== null) {
    let c = o.meant ?? "Did you mean:", l = (u) => u.set("q", t);
    n.before(
      h(
        "p",
        { className: "search-meant" },
        `${c} `,
        k(r, l, { textContent: t })
      )
    );
  }
  if (e.length === 0) return;
  let s = h("h2", {
    textContent: o.similar ?? "Similar words",
    id: "search-similar"
  }), i = h("ol", { className: "results" }, ...e.map(Lt)), a = h("section", { className: "search-similar" }, s, i);
  a.setAttribute("aria-labelledby", "search-similar"), n.parentElement.append(a);
}
async function sn() {
  let e = new URLSearchParams(location.search), { list: t, count: n } = qe(), r = document.querySelector('main input[name="q"]');
  r && (r.value = e.get("q") ?? "");
  try {
    let o = t.dataset.lang ?? null, s = { ...cn(e, await A.head()), lang: o }, i = await A.search(s);
    rn(s, i, { params: e, list: t, count: n }), on(await A.similar(s, i), { list: t, params: e });
  } catch (o) {
    throw n.textContent = t.dataset.failed ?? "Search is not available at the moment.", o;
  }
}
async function rr(e, t) {
  let r = { text: e, filters: { taxonomy: {}, facets: {} }, sort: "relevance", limit: 8, offset: 0, lang: t }, o = await A.search(r), [s, i] = await Promise.all([
    A.similar(r, o),
    Pt(o.items, T(e, (await A.head()).syntax).terms, Nt)
  ]);
  return { ...o, ...s, sections: i };
}
var an = [...document.querySelectorAll("script[src]")].some(
  ({ src: e }) => e === import.meta.url
);
an && await sn();
function cn(e, t) {
  let n = t.facets.includes("subtype"), r = ln(e, t.facets), o = e.get("type") ?? "";
  return n && o !== "" && o !== "all" && (r.subtype = [o]), {
    text: e.get("q") ?? "",
    filters: { taxonomy: un(e), facets: r },
    sort: n && e.get("sort") === "date" ? "date" : "relevance",
    limit: Math.min(500, Ct(e.get("limit"), 1) ?? t.pageSize),
    offset: Ct(e.get("offset"), 0) ?? 0
  };
}
function Ct(e, t) {
  return /^\d{1,7}$/.test(e ?? "") && Number(e) >= t ? Number(e) : null;
}
function ln(e, t) {
  let n = t.map((r) => {
    let o = [...e.getAll(`facet[${r}]`), ...e.getAll(`facet[${r}][]`)];
    return [r, o.filter((s) => s !== "")];
  });
  return Object.fromEntries(n.filter(([, r]) => r.length > 0));
}
function un(e) {
  let t = {};
  for (let [n, r] of e) {
    let o = /^taxonomy\[([^\]]+)\](?:\[\])?$/.exec(n)?.[1];
    o !== void 0 && r !== "" && (t[o] = [...t[o] ?? [], r]);
  }
  return t;
}
export {
  rr as find
};
