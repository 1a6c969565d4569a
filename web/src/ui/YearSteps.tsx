/** Buttons with the previous and the next year; `label` names what they show. */
import { Button } from './Button'
import { ChevronLeft, ChevronRight } from './icons'
import { Buttons } from './layout'

interface YearStepsProps {
  year: number
  label: (year: number) => string
  onYear: (year: number) => void
}

export function YearSteps({ year, label, onYear }: YearStepsProps) {
  const [before, after] = [year - 1, year + 1]
  return (
    <Buttons>
      <Button icon={<ChevronLeft size={18} />} aria-label={label(before)} onClick={() => onYear(before)}>
        {before}
      </Button>
      <Button aria-label={label(after)} onClick={() => onYear(after)}>
        {after}
        <ChevronRight size={18} />
      </Button>
    </Buttons>
  )
}
