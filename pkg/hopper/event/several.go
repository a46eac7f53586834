package event

// Several is an observer that lets others follow the same launch; those that
// are nil are left out. Without any it is nil. An event is told to each in
// turn, so none may change it.
func Several(list ...Observer) Observer {
	var all several
	for _, o := range list {
		if o != nil {
			all = append(all, o)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

type several []Observer

func (all several) Cluster(ctas [][3]int) Sink {
	var sinks severalSinks
	for _, o := range all {
		if s := o.Cluster(ctas); s != nil {
			sinks = append(sinks, s)
		}
	}
	switch len(sinks) {
	case 0:
		return nil
	case 1:
		return sinks[0]
	}
	return sinks
}

func (all several) Findings() (found []Finding) {
	for _, o := range all {
		found = append(found, o.Findings()...)
	}
	return found
}

type severalSinks []Sink

func (all severalSinks) Take(e *Event) {
	for _, s := range all {
		s.Take(e)
	}
}

func (all severalSinks) Finish(stuck bool) (found []Finding) {
	for _, s := range all {
		found = append(found, s.Finish(stuck)...)
	}
	return found
}
