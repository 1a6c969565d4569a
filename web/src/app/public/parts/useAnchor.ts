/** Scrolls to the anchor in the address, also if the page renders later. */
import { useEffect } from 'react'
import { useLocation } from 'react-router'

export function useAnchor() {
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same part again, for who asks for it again
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash, key])
}
