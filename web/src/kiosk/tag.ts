/** A chip's number in groups of four, as people read it out. */

const NUMBER = /^[0-9A-F]+$/

/** "04A1", "B2C3", …; words are not split. */
export function groups(tag: string): string[] {
  return NUMBER.test(tag) ? (tag.match(/.{1,4}/g) ?? []) : [tag]
}
