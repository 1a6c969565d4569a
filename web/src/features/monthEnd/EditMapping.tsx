/** The button that opens the tax adviser's numbers. */
import { useState } from 'react'
import { fetched } from '../../patterns/fetched'
import { QueryView } from '../../patterns/QueryView'
import { Button } from '../../ui/Button'
import { Pencil } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { texts } from './texts'
import { useMapping } from './useMonthEnd'

const MappingDialog = fetched(async () => (await import('./MappingDialog')).MappingDialog, null)

export function EditMapping({ companyId }: { companyId: string }) {
  const [open, setOpen] = useState(false)
  const mapping = useMapping(companyId, open)
  return (
    <Buttons>
      <Button
        icon={<Pencil size={18} />}
        onPointerEnter={MappingDialog.prepare}
        onFocus={MappingDialog.prepare}
        busy={mapping.isLoading}
        onClick={() => setOpen(true)}
      >
        {texts.editMapping}
      </Button>
      {open && (
        <QueryView query={mapping} failed={texts.mappingFailed} skeleton={null}>
          {known => <MappingDialog companyId={companyId} known={known} onClose={() => setOpen(false)} />}
        </QueryView>
      )}
    </Buttons>
  )
}
