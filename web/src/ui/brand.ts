/** The product's name, as it stands in titles and beside the mark. */
export const BRAND = 'Stempelwerk'
