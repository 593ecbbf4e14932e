import { VolunteerForm } from '#web/forms/volunteer-form.tsx'
import './sign-up.css'

export function SignUp() {
  return (
    <div className="sign-up">
      <div className="sign-up-inner home-inner">
        <VolunteerForm />
        <aside className="sign-up-notes" aria-label="Depois do cadastro">
          <p className="sign-up-shout">Não precisa de experiência. Precisa de vontade.</p>
          <ul>
            <li>
              <strong>Você escolhe a tarefa.</strong> Espalhar, criar, ou as duas coisas.
            </li>
            <li>
              <strong>Você entra no grupo.</strong> O convite aparece assim que o cadastro termina.
            </li>
            <li>
              <strong>Você ajuda no seu tempo.</strong> Cinco minutos por dia já fazem diferença.
            </li>
            <li>
              <strong>Seus dados são seus.</strong> Usamos só para falar com você sobre o movimento.
            </li>
          </ul>
        </aside>
      </div>
    </div>
  )
}
