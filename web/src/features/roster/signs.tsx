/** Icons for undo and redo; separate, so that other pages do not load them. */
const sign = (path: string) => (
  <svg
    aria-hidden="true"
    width={20}
    height={20}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    focusable="false"
  >
    <path d={path} />
  </svg>
)

export const UNDO = sign('M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11')
export const REDO = sign('m15 14 5-5-5-5m5 5H9.5a5.5 5.5 0 0 0 0 11H13')
