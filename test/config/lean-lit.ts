import type { Plugin } from 'vite';

/** Something that is left out: the text as it stands in the file, and what stays of it. */
type Cut = readonly [text: string | RegExp, rest?: string];

/*
 * What no template and no property of this element uses: SVG and MathML templates, compiled ones, directives, element parts,
 * properties that a template sets, `this` in a listener, holes inside of comments and of `<script>` or `<style>`, reactive controllers,
 * decorators, converters, defaults and accessors of one's own, a class on top of the class, the hooks around an update, and the doors
 * for polyfills and for hydration. 2 kB of 24. The templates are ours alone, and `assertLean` tells who writes one that needs them.
 *
 * The files are the minified ones that Lit publishes. A text that is not there exactly once stops the build: with another version
 * of Lit every cut has to be looked at again.
 */
const cuts: Readonly<Record<string, readonly Cut[]>> = {
  'lit-html/lit-html.js': [
    ['t=globalThis,i=t=>t,s=t.trustedTypes,e=s?s', 't=globalThis.trustedTypes,e=t?t'],
    // The marks of holes: no comment of ours says the one, no attribute ends with the other.
    [/h="\$lit\$",.*?,r=`<\$\{n\}>`/, 'h="$",n="lit",r="<!--lit-->"'],
    [/d=t=>u\(t\)\|\|.*?Symbol\.iterator\],/],
    ['d(t)?this.k(t)', 'u(t)?this.k(t)'],
    ['void 0!==t._$litType$', 'void 0!==t.strings'],
    // No other Lit sees what ours is given.
    ['Symbol.for("lit-nothing")', 'Symbol()'],
    // A hole after an equals sign is an attribute, any other is a child: there is nothing to parse.
    [/,f="\[ .*?,y=\/.*?\/i/s],
    [
      'x=t=>(i,...s)=>({_$litType$:t,strings:i,values:s}),b=x(1),w=x(2),T=x(3),E=Symbol.for("lit-noChange"),',
      'b=(t,...i)=>({strings:t,values:i}),',
    ],
    [/const N=\(t,i\)=>\{.*?\};(?=class S\{)/s],
    [
      /function V\(t,i\)(.*?)"invalid template strings array"\);return.*?\}/,
      'function V(t)$1);const i=t.join(r).replaceAll("="+r,h)+(t.at(-1)?"":"<?>"),s=l.createElement("template");return s.innerHTML=e?e.createHTML(i):i,s}',
    ],
    [
      /\{strings:t,_\$litType\$:i\},e\)\{let r;(.*?),a=0;(.*?),\[f,v\]=N\(t,i\);if\(this\.el=.*?\),(.*?),2===i.*?childNodes\)\}/,
      '{strings:t}){let r;$1;$2;this.el=V(t),$3;',
    ],
    [/const i=v\[a\+\+\],s=.*?exec\(i\);/, 'const e=/([?@])?(.*)\\$/.exec(t);'],
    ['strings:s,ctor:"."===e[1]?I:', 'ctor:'],
    ['else t.startsWith(o)&&(d.push({type:6,index:l}),r.removeAttribute(t));'],
    [/if\(y\.test\(r\.tagName\)\)\{.*?r\.append\(t\[i\],c\(\)\)\}\}/],
    [/if\(r\.data===n\)(d\.push\(\{type:2,index:l\}\));else\{.*?t\+=o\.length-1\}/, 'r.data===n&&$1;'],
    [/static createElement.*?return s\.innerHTML=t,s\}/],
    [/function M\(t,i,s=t,e\)\{.*?,i\}(?=class R)/],
    // What a hole is filled with: a text, a template, an element or a list of them.
    ['this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=i', 'this._$AV=[],this._$AD=t'],
    ['get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}'],
    ['u(t){const', 'u(){const'],
    ['(t?.creationScope??l)', 'l'],
    ['new k(h,h.nextSibling,this,t)', 'new k(h,h.nextSibling)'],
    [/1===r\.type\?\(?i=new r\.ctor\(.*?\):6===r\.type&&\(i=new Z\(h,this,t\)\)/, 'i=new r.ctor(h,r.name)'],
    [/let i=0;for\(const s of this\._\$AV\).*?,i\+\+/, 'let i=0;for(const s of this._$AV)s._$AI(t[i++])'],
    ['get _$AU(){return this._$AM?._$AU??this._$Cv}'],
    ['(t,i,s,e){this.type=2,this._$AH=A,this._$AN=void 0,', '(t,i){this._$AH=A,'],
    [/,this\._\$AM=s,this\.options=e,this\._\$Cv=.*?!0/],
    [/get parentNode\(\)\{let t=this\._\$AA\.parentNode;.*?get endNode\(\)\{return this\._\$AB\}/],
    ['(t,i=this){t=M(this,t,i),', '(t){'],
    ['t!==this._$AH&&t!==E&&', 't!==this._$AH&&'],
    [/const\{values:i,_\$litType\$:s\}=t,e=.*?,s\);/, 'const{values:i}=t,e=this._$AC(t);'],
    ['new R(e,this),s=t.u(this.options)', 'new R(e),s=t.u()'],
    ['this.O(c()),this,this.options)', 'this.O(c()))'],
    [
      /_\$AR\(t=this\._\$AA\.nextSibling,s\)\{.*?setConnected/,
      '_$AR(t=this._$AA.nextSibling){for(;t!==this._$AB;){const i=t.nextSibling;t.remove(),t=i}}setConnected',
    ],
    ['setConnected(t){void 0===this._$AM&&(this._$Cv=t,this._$AP?.(t))}'],
    // An attribute is one hole.
    ['get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}'],
    [
      /constructor\(t,i,s,e,h\)\{this\.type=1,this\._\$AH=A,this\._\$AN=void 0,(.*?),this\._\$AM=e.*?this\._\$AH=A\}/,
      'constructor(t,i){$1,this._$AH=A}',
    ],
    [
      /_\$AI\(t,i=this,s,e\)\{const h=this\.strings;.*?o&&!e&&this\.j\(t\)/,
      '_$AI(t){(!a(t)||t!==this._$AH)&&this.j(this._$AH=t)',
    ],
    [/class I .*?(?=class L )/],
    ['constructor(){super(...arguments),this.type=4}'],
    // A listener is a function, without options, and stays.
    [
      /constructor\(t,i,s,e,h\)\{super\(t,i,s,e,h\),this\.type=5\}.*?class Z\{.*?\}_\$AI\(t\)\{M\(this,t\)\}\}/,
      '_$AI(t){this._$AH===A&&this.element.addEventListener(this.name,this),this._$AH=t}handleEvent(t){this._$AH?.(t)}}',
    ],
    [/const j=\{M:h.*?\.push\("3\.3\.3"\);/],
    ['j as _$LH,'],
    ['T as mathml,E as noChange,'],
    [',w as svg'],
    [/const D=\(t,i,s\)=>.*?,h\};/, 'const D=(t,i)=>{(i._$litPart$??=new k(i.appendChild(c()),null))._$AI(t)};'],
  ],
  '@lit/reactive-element/reactive-element.js': [
    [/const\{is:i,.*?(?=Symbol\.metadata)/],
    ['u as defaultConverter,'],
    [',f as notEqual'],
    ['Symbol.metadata??=Symbol("metadata"),a.litPropertyMetadata??=new WeakMap;'],
    ['static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}'],
    // One class has properties, and they are read once. Their attributes have their names, unless they say another.
    [
      /static get observedAttributes.*?(?=constructor\(\))/,
      'static get observedAttributes(){return this.elementProperties=new Map(Object.entries(this.properties)),this._$Eh=new Map,' +
        'this.elementProperties.forEach((t,s)=>{this.createProperty(s,t),!1!==t.attribute&&this._$Eh.set(t.attribute??s,s)}),' +
        '[...this._$Eh.keys()]}' +
        'static createProperty(t,s){const i=Symbol();Object.defineProperty(this.prototype,t,{get(){return this[i]},' +
        'set(e){const h=this[i];this[i]=e,this.requestUpdate(t,h,s)},configurable:!0,enumerable:!0})}',
    ],
    [',this.constructor.l?.forEach(t=>t(this))'],
    [/addController\(t\)\{.*?removeController\(t\)\{.*?\}/],
    ['this.constructor.shadowRootOptions', '{mode:"open"}'],
    ['this.constructor.elementStyles', 'this.constructor.styles'],
    [',this._$EO?.forEach(t=>t.hostConnected?.())'],
    ['enableUpdating(t){}'],
    ['this._$EO?.forEach(t=>t.hostDisconnected?.())'],
    // A property is a truth, a number or a text. What reflects has the name of its attribute, and is a truth or a text.
    [
      /_\$ET\(t,s\)\{.*?(?=requestUpdate)/,
      '_$ET(t,s){this._$Em=t,null==s||!1===s?this.removeAttribute(t):this.setAttribute(t,!0===s?"":s),this._$Em=null}' +
        '_$AK(t,s){if(this._$Em!==t){this._$Em=t;const i=this.constructor,e=i._$Eh.get(t),{type:h}=i.elementProperties.get(e);' +
        'this[e]=h===Boolean?null!==s:h&&null!==s?Number(s):s,this._$Em=null}}',
    ],
    [
      /\(t,s,i,e=!1,h\)\{if\(void 0!==t\)\{.*?this\.C\(t,s,i\)\}/,
      '(t,s,i={}){if(void 0!==t){if(Object.is(this[t],s))return;this.C(t,s,i)}',
    ],
    [/\{useDefault:i,reflect:e,wrapped:h\},r\)\{.*?\|\|\(this/, '{reflect:e}){(this'],
    ['this.hasUpdated||i||', 'this.hasUpdated||'],
    ['const t=this.scheduleUpdate();return null!=t&&await t,', 'return this.performUpdate(),'],
    ['scheduleUpdate(){return this.performUpdate()}'],
    ['{if(this.renderRoot??=this.createRenderRoot(),this', '{if(this'],
    [/const t=this\.constructor\.elementProperties;if\(t\.size>0\).*?\}(?=\}let t)/],
    ['let t=!1;const s=this._$AL', 'const s=this._$AL'],
    [/t=this\.shouldUpdate\(s\).*?this\._\$EM\(\)\}catch\(s\)\{throw t=!1,/, 'this.update(s)}catch(s){throw '],
    ['t&&this._$AE(s)', 'this.hasUpdated=!0,this.updated(s)'],
    [/willUpdate\(t\)\{\}_\$AE\(t\)\{.*?this\.updated\(t\)\}/],
    ['return this.getUpdateComplete()}getUpdateComplete(){'],
    ['shouldUpdate(t){return!0}'],
    ['updated(t){}firstUpdated(t){}'],
    [/y\.elementStyles=\[\].*?\.push\("2\.1\.2"\);/],
  ],
  'lit-element/lit-element.js': [
    [',noChange as r'],
    ['const s=globalThis;'],
    [/constructor\(\)\{super\(\.\.\.arguments\).*?firstChild,t\}/],
    ['this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),'],
    ['this._$Do=e(r,this.renderRoot,this.renderOptions)', 'e(r,this.renderRoot)'],
    [/connectedCallback\(\)\{super.*?\}render\(\)\{return r\}/],
    [/i\._\$litElement\$=!0,.*?\.push\("4\.2\.2"\);/],
    [',n as _$LE'],
  ],
};

/** Lit without what this element never uses. */
export const leanLit: Plugin = {
  name: 'lean-lit',
  enforce: 'pre',
  transform(code, id) {
    if (/src.element/.test(id)) assertLean(code, id);
    const file = Object.keys(cuts).find((name) => id.endsWith(`node_modules/${name}`));
    if (file === undefined) return null;
    return { code: (cuts[file] ?? []).reduce(withoutCut, code), map: null };
  },
};

/** Whether what is left of Lit serves these templates. */
function assertLean(code: string, id: string): void {
  if (/\s[\w.?@-]+=("[^"`]*\$\{|[^\s"'`$>]+\$\{|\$\{[^{}]*\}[^\s/>`])/.test(code))
    throw new Error(`${id}: an attribute that is more than one hole needs a part of Lit that is left out.`);
  if (/(?<!\s[?@]?[a-z-]+)=\$\{/.test(code))
    throw new Error(`${id}: a hole after "=" is taken for an attribute, whose name has no capitals and no dot.`);
  if (/=\$\{this\./.test(code)) throw new Error(`${id}: what a listener calls \`this\` is left out.`);
}

function withoutCut(code: string, [text, rest = '']: Cut): string {
  const [before, ...after] = code.split(text);
  if (before === undefined || after.length === 0) throw new Error(`Lit has changed: there is no ${String(text)}.`);
  return code.replace(text, rest);
}
