/** A chip's number as people read it out: in groups of four. */

const NUMBER = /^[0-9A-F]+$/

/** "04A1", "B2C3", …; a word stays one. */
export function groups(tag: string): string[] {
  return NUMBER.test(tag) ? (tag.match(/.{1,4}/g) ?? []) : [tag]
}
